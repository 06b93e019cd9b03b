internal import CaregiverPermissions
internal import EventLog
internal import FoundationEssentials
internal import HealthModel
package import JournalCore

/// The events of the log as they are appended, page by page, limited to those that the caller may see.
///
/// The reader pulls the pages, so that at most one page is in memory. A page without events is returned at least once a
/// second, so that the reader knows that the feed is alive. The feed ends with an error when the caller's account or
/// token loses its access, or when the caller loses access to any record that it could see. A client that may still see
/// other records starts a new feed.
package struct EventFeed: AsyncSequence, Sendable {
    package typealias Element = FeedPage

    let journal: Journal
    let start: UInt64
    let query: FeedQuery
    /// Returns the caller according to the current state of its token or session; throws if that is no longer valid.
    let renew: @Sendable () async throws(JournalError) -> Caller

    package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

    package struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        /// The maximum wait until a page without events is returned.
        private static var patience: Duration { .milliseconds(900) }

        private let feed: EventFeed
        private var done: UInt64
        private var lastVisible: [UUID: Set<Kind>]?

        init(_ feed: EventFeed) {
            self.feed = feed
            done = feed.start
        }

        package mutating func next(isolation: isolated (any Actor)?) async throws(JournalError) -> FeedPage? {
            let end = ContinuousClock.now + AsyncIterator.patience
            while true {
                try await check()
                var page = try await feed.journal.feeds.feed(after: done, feed.query, try await feed.renew())
                done = page.through
                if !page.events.isEmpty { return page }
                let left = end - ContinuousClock.now
                if !page.hasMore, left > .zero { try await wait(atMost: left) }
                if ContinuousClock.now >= end {
                    page.hasMore = false
                    try await check()
                    return page
                }
            }
        }

        /// Returns the first page, which may be empty, so that a refusal of the feed is reported at once.
        package mutating func begin() async throws(JournalError) -> FeedPage {
            try await check()
            let page = try await feed.journal.feeds.feed(after: done, feed.query, try await feed.renew())
            done = page.through
            return page
        }

        /// Throws if the caller has lost its access.
        ///
        /// Code that takes long to pass a page on calls this in between.
        package mutating func check() async throws(JournalError) {
            let caller = try await feed.renew()
            let now = try await feed.journal.feeds.seenInFeed(by: caller)
            for (record, kinds) in lastVisible ?? [:] where !kinds.isSubset(of: now[record] ?? []) {
                try await feed.journal.feeds.endFeed(of: caller, kinds, record)
            }
            lastVisible = now
        }

        private func wait(atMost limit: Duration) async throws(JournalError) {
            do {
                _ = try await feed.journal.log.waitForEvents(after: done, atMost: limit)
            } catch {
                throw JournalError(error)
            }
        }
    }
}

extension Journal.EventFeeds {
    /// Follows the events after a position as they are appended.
    package func follow(
        after position: UInt64,
        _ query: FeedQuery = FeedQuery(),
        renewing renew: @escaping @Sendable () async throws(JournalError) -> Caller
    ) -> EventFeed {
        EventFeed(journal: journal, start: position, query: query, renew: renew)
    }

    /// Returns the kinds of entries of each record whose events the caller may see at present.
    ///
    /// The result is empty for an auditor, who sees all records without a permission on any of them.
    func seenInFeed(by caller: Caller) async throws(JournalError) -> [UUID: Set<Kind>] {
        try await journal.retrying {
            var seen: [UUID: Set<Kind>] = [:]
            func see(_ record: UUID, _ decide: (Action) -> Result<Admission, Denial>) {
                switch FeedRights.extent(of: record, decide) {
                case .all(let admission), .entries(let admission):
                    seen[record, default: []].formUnion(admission.scope.kinds)
                case .nothing, .tombstone: break
                }
            }
            let (head, now, today) = (try journal.log.head(), journal.now, journal.today)
            for found in try journal.permissions.records(of: caller.account, asOf: head) {
                see(found.record) {
                    Gate.admit($0, on: found.record, by: caller, permission: found.permission, now: now, today: today)
                }
            }
            for membership in try journal.access.memberships(of: caller) {
                for found in try journal.permissions.records(of: membership.practice, asOf: head) {
                    see(found.record) {
                        Gate.admit($0, on: found.record, by: caller, as: membership, permission: found.permission)
                    }
                }
            }
            return seen
        }
    }

    /// Ends a feed whose reader has lost access to a record; the refusal is recorded like any other.
    func endFeed(of caller: Caller, _ kinds: Set<Kind>, _ record: UUID) async throws(JournalError) {
        do {
            _ = try await journal.access.admit(caller, to: .read(kinds, .events), on: record)
        } catch {
            throw JournalError(error)
        }
    }
}
