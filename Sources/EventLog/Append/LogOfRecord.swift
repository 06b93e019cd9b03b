/// The authoritative log: an append has happened once this log has committed it.
///
/// It orders the events, and what it commits is durable.
///
/// It is called once for each group of appends, never for each event.
protocol LogOfRecord: Sendable {
    /// Whether a commit would have to wait for another writer.
    var isWriting: Bool { get }

    /// Decides a group of appends in order, and commits the accepted ones together.
    ///
    /// Returns the result of each append. A result is returned only once it is durable, including the destruction of the
    /// keys and attachments of an erased subject. When this throws, no append of the group was committed, so that the
    /// caller may commit the group again; an implementation that cannot know resolves the outcome before it returns.
    func commit(_ group: [AppendRequest]) throws(EventLogError) -> [Result<AppendResult, EventLogError>]
}
