package import FoundationEssentials
internal import LMDB
internal import Platform

/// An event that is copied from another log, with its place there.
package struct MirroredEvent: Hashable, Sendable {
    package var event: NewEvent
    package var position: UInt64
    /// When the other log recorded it, in microseconds since 1970.
    package var recordedAt: Int64

    package init(_ event: NewEvent, at position: UInt64, recordedAt: Int64) {
        self.event = event
        self.position = position
        self.recordedAt = recordedAt
    }
}

/// A mirror: a log with those events of another log that one account may see, at their positions there.
///
/// It has no Merkle tree, because its events are a selection: the log that it is made from proves them.
extension EventLog {
    /// Whether the log is a mirror, in which positions may be missing.
    package var isMirror: Bool { tables.isMirror }

    /// Returns the id of a mirror, which is not open in this process.
    package static func mirrorID(of folder: JournalFolder) throws(EventLogError) -> UUID {
        var options = Options()
        (options.isMirror, options.isReadOnly) = (true, true)
        return try EventLog(folder: folder, masterKey: nil, options: options).description.id
    }

    /// Appends events at the positions that another log gave them, in ascending order.
    package func mirror(_ events: [MirroredEvent]) async throws(EventLogError) {
        guard !events.isEmpty else { return }
        guard isMirror else { throw EventLogError(.readOnly, "positions can only be given in a mirror") }
        var last = try head()
        for event in events {
            guard event.position > last else {
                throw EventLogError(.versionConflict, "the mirror has events of that position already")
            }
            last = event.position
            try KeyStore.requireSubject(event.event.header.subject)
        }
        let news = events.map(\.event)
        let headers = news.map(\.header)
        let sealing = try await BlockingWork.run { () throws(EventLogError) in
            try self.keys.sealingKeys(of: headers)
        }
        let frames = try SealedFrame.seal(news, under: sealing)
        let places = events.map { EventPlace(position: $0.position, recordedAt: $0.recordedAt) }
        _ = try await answer { answer throws(EventLogError) in try submit(frames, at: places, answer) }
    }

    /// Destroys the keys of subjects, so that what the mirror has of them can never be read again.
    package func forget(_ subjects: Set<UUID>) throws(EventLogError) {
        guard isMirror else { throw EventLogError(.readOnly, "only a mirror can forget") }
        try keys.destroy(subjects)
    }

    /// Destroys the keys of entries, so that what the mirror has of them can never be read again.
    package func forget(entries: [ErasedEntry]) throws(EventLogError) {
        guard isMirror else { throw EventLogError(.readOnly, "only a mirror can forget") }
        try destroy(entries)
    }
}
