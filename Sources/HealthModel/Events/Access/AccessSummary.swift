/// The number of repeated refusals of one access to one account.
///
/// The first refusal has its own event and is not counted.
package struct AccessSummary: Hashable, Sendable {
    package var action: AccessAction
    /// The sections that were requested.
    package var sections: [Section]
    package var count: Int
    package var first: Instant
    package var last: Instant

    package init(action: AccessAction, sections: [Section] = [], count: Int, first: Instant, last: Instant) {
        self.action = action
        self.sections = sections
        self.count = count
        self.first = first
        self.last = last
    }
}
