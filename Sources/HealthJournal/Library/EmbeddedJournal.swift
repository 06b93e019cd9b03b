internal import EventLog
public import Foundation
internal import HealthModel
internal import Interchange

/// A journal in a folder, opened inside a program and bound to one account.
///
/// Documents and events are JSON as the HTTP API has them. All rules of the journal apply: the account sees and changes
/// what it may, and each read is appended to the log before it is returned. A service and commands can use the same
/// folder at the same time, from other processes. One process must not open the same journal twice.
///
/// ```swift
/// let journal = try EmbeddedJournal(folder: "/var/lib/healthjournal", account: "scale")
/// defer { journal.close() }
/// ```
public final class EmbeddedJournal: Sendable {
    private let journal: Journal
    private let caller: Caller

    /// Opens the journal in a folder.
    ///
    /// - Parameters:
    ///   - folder: The journal's folder, which `healthjournal init` created.
    ///   - masterKeyFile: The file with the master key. By default it is found as the commands find it.
    ///   - account: The name or the id of the account that acts.
    ///   - reason: The reason of changes and the purpose of reads; stored with their events.
    /// - Throws: `notFound` if there is no journal or no such account, `failed` if the key does not fit, `conflict` if the
    ///   log does not extend a checkpoint that is kept outside it.
    public init(
        folder: String,
        masterKeyFile: String? = nil,
        account: String = "owner",
        reason: String = ""
    ) throws(JournalError) {
        journal = try Journal(
            folder: JournalFolder(folder),
            masterKeyFile: masterKeyFile,
            options: .standard
        )
        do throws(JournalError) {
            caller = try journal.caller(account, source: .ingest, reason: reason, purpose: reason)
        } catch {
            journal.close()
            throw error
        }
    }

    /// Waits for work in progress and closes the journal, which must not be used afterwards.
    ///
    /// The same process can open the folder again as soon as this object is deallocated.
    public func close() { journal.close() }

    /// The number of events in the log, which is the position of the newest one.
    public var size: UInt64 {
        get throws(JournalError) {
            do { return try journal.head() } catch { throw JournalError(error) }
        }
    }

    // MARK: - Appending

    /// The outcome of an append, which is durable.
    public struct Appended: Hashable, Sendable {
        /// The position of the event in the log, from 1.
        public let position: UInt64
        /// The entry that the event became; nil if events of its type do not become entries.
        public let entry: UUID?
        /// Whether the same event, by its source and id, had been appended before; `position` is then that of the first.
        public let isRepeated: Bool
    }

    /// Appends an event of a program: a CloudEvent 1.0 in the JSON format.
    ///
    /// An event of the type `org.healthjournal.KIND.logged` becomes an entry of the record in its `subject`. Any other
    /// event is stored in a stream of its `source` and `type`.
    public func append(_ cloudEvent: String) async throws(JournalError) -> Appended {
        let event: CloudEvent
        do { event = try CloudEvent.read(Array(cloudEvent.utf8)) } catch { throw JournalError(error) }
        guard let result = await journal.append([event], stream: nil, caller).first else {
            throw JournalError(.failed, "the event has no result")
        }
        let appended = try result.get()
        return Appended(position: appended.position, entry: appended.entry, isRepeated: appended.isRepeated)
    }

    // MARK: - Reading

    /// A point in the history of the journal.
    public enum Moment: Hashable, Sendable {
        /// After the event at a position.
        case position(UInt64)
        /// At a recorded time.
        case time(Date)
    }

    /// The ids of the records that the account may see, with their display names, in the order of their creation.
    public func records() async throws(JournalError) -> [(id: UUID, name: String)] {
        try await journal.listRecords(caller).map { ($0.id, $0.displayName) }
    }

    /// Returns a record as a JSON document, as it was known at a moment; by default, as it is known now.
    public func read(_ record: UUID, asOf moment: Moment? = nil) async throws(JournalError) -> String {
        let asOf: AsOf? =
            switch moment {
            case .position(let position): .position(position)
            case .time(let date): .instant(Instant(microseconds: Int64(date.timeIntervalSince1970 * 1_000_000)))
            case nil: nil
            }
        return JSONWriter.text(try await journal.read(record, ReadOptions(asOf: asOf), caller).json(), .compact)
    }

    // MARK: - Following

    /// An event of the log, as far as the account may see it.
    public struct Event: Hashable, Sendable {
        /// The position of the event in the log, from 1.
        public let position: UInt64
        /// The stable name of its type, such as `entry.added`.
        public let type: String
        /// The event as a CloudEvent 1.0 in the JSON format.
        public let json: String
    }

    /// Returns the events after a position, and then those that any process appends, until the task is cancelled.
    ///
    /// What is shown of records is read for the account, and audited. The sequence ends with an error when the account
    /// loses access to a record that it could see.
    public func events(after position: UInt64 = 0) -> Events {
        let caller = caller
        return Events(feed: journal.follow(after: position) { () throws(JournalError) in caller })
    }

    /// Events of the log as they are appended.
    public struct Events: AsyncSequence, Sendable {
        fileprivate let feed: EventFeed

        /// Begins at the position that the sequence was created with.
        public func makeAsyncIterator() -> Iterator { Iterator(pages: feed.makeAsyncIterator()) }

        /// The state of one pass over the events.
        public struct Iterator: AsyncIteratorProtocol, Sendable {
            fileprivate var pages: EventFeed.AsyncIterator
            private var waiting: ArraySlice<FeedEvent> = []

            fileprivate init(pages: EventFeed.AsyncIterator) { self.pages = pages }

            /// Waits for the next event; nil once the task is cancelled.
            public mutating func next(isolation: isolated (any Actor)?) async throws(JournalError) -> Event? {
                while waiting.isEmpty {
                    guard !Task.isCancelled, let page = try await pages.next(isolation: isolation) else { return nil }
                    waiting = page.events[...]
                }
                return waiting.popFirst()
                    .map {
                        Event(position: $0.position, type: $0.type.name, json: JSONWriter.text($0.json, .compact))
                    }
            }
        }
    }

    // MARK: - Verifying

    /// The result of a verification of the whole log.
    public struct Verification: Hashable, Sendable {
        /// The number of events in the log.
        public let size: UInt64
        /// The root of the Merkle tree over all events, in hexadecimal, to compare with a checkpoint kept elsewhere.
        public let root: String
        /// What is not as it was written, with its position; empty for a sound log.
        ///
        /// At most 100 faults are listed.
        public let faults: [String]
    }

    /// Verifies the whole log: every page, hash, seal and position.
    ///
    /// For accounts that oversee the journal. It uses all processors while it runs.
    public func verify() async throws(JournalError) -> Verification {
        let result = try await journal.verifyLog(caller)
        return Verification(
            size: result.head,
            root: result.root.hexadecimal,
            faults: result.faults.map { "position \($0.position): \($0.what)" }
        )
    }
}
