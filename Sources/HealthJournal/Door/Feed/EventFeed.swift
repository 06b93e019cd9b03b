internal import CaregiverPermissions
internal import EventLog
internal import FoundationEssentials
internal import HealthModel

/// The events of the log as they come, page by page, to somebody who may see them.
///
/// Pulled by whoever reads it, so that no more than a page is ever in memory. A page without events comes at least each
/// second, so that the reader knows that the feed lives. It ends with an error when the caller's account or token no
/// longer lets it in, or any record that it could see is closed to it: whoever may still see others asks again.
package struct EventFeed: AsyncSequence, Sendable {
    package typealias Element = FeedPage

    let journal: Journal
    let start: UInt64
    let query: FeedQuery
    /// The caller as its token or its session says now; throws when neither lets it in any more.
    let renew: @Sendable () async throws(JournalError) -> Caller

    package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

    package struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        /// How long a page without events lets wait for itself.
        private static var patience: Duration { .milliseconds(900) }

        private let feed: EventFeed
        private var done: UInt64
        private var standing: [UUID: Set<Kind>]?

        init(_ feed: EventFeed) {
            self.feed = feed
            done = feed.start
        }

        package mutating func next(isolation: isolated (any Actor)?) async throws(JournalError) -> FeedPage? {
            let end = ContinuousClock.now + AsyncIterator.patience
            while true {
                try await check()
                var page = try await feed.journal.feed(after: done, feed.query, try await feed.renew())
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

        /// The first page, which may be empty: what refuses the feed is told at once.
        package mutating func begin() async throws(JournalError) -> FeedPage {
            try await check()
            let page = try await feed.journal.feed(after: done, feed.query, try await feed.renew())
            done = page.through
            return page
        }

        /// Throws when the caller's right is gone.
        ///
        /// Whoever is slow to pass a page on asks this in between.
        package mutating func check() async throws(JournalError) {
            let caller = try await feed.renew()
            let now = try feed.journal.seenInFeed(by: caller)
            for (record, kinds) in standing ?? [:] where !kinds.isSubset(of: now[record] ?? []) {
                try await feed.journal.endFeed(of: caller, kinds, record)
            }
            standing = now
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

extension Journal {
    /// Follows the events behind a position, as they come.
    package func follow(
        after position: UInt64,
        _ query: FeedQuery = FeedQuery(),
        renewing renew: @escaping @Sendable () async throws(JournalError) -> Caller
    ) -> EventFeed {
        EventFeed(journal: self, start: position, query: query, renew: renew)
    }

    /// The kinds of entries of each record whose events the caller sees at this moment.
    ///
    /// Of an auditor it is nothing, who sees all records and is let in to none.
    func seenInFeed(by caller: Caller) throws(JournalError) -> [UUID: Set<Kind>] {
        do {
            var seen: [UUID: Set<Kind>] = [:]
            for found in try permissions.records(of: caller.account, asOf: log.head()) {
                switch FeedRights.extent(of: found.record, found.permission, caller, now, today) {
                case .all(let admission), .entries(let admission): seen[found.record] = admission.sight.kinds
                case .nothing, .tombstone: break
                }
            }
            return seen
        } catch {
            throw JournalError(error)
        }
    }

    /// Ends a feed whose reader was let in to a record and no longer is; that is on record like any refusal.
    func endFeed(of caller: Caller, _ kinds: Set<Kind>, _ record: UUID) async throws(JournalError) {
        do {
            _ = try await admit(caller, to: .read(kinds, .events), on: record)
        } catch {
            throw JournalError(error)
        }
    }
}
