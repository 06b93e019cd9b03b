internal import EventLog
public import Foundation
internal import HealthModel
internal import Interchange
internal import Synchronization

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
    private let isClosed = Atomic(false)

    /// Opens the journal in a folder.
    ///
    /// - Parameters:
    ///   - folder: The journal's folder, which `healthjournal init` created.
    ///   - masterKeyFile: The file with the master key. By default it is found as the commands find it.
    ///   - account: The name or the id of the account that acts.
    ///   - reason: The reason of changes and the purpose of reads; stored with their events.
    /// - Throws: `notFound` if there is no journal or no such account, `invalid` if the reason is too long, `failed` if the
    ///   key does not fit or this process has the journal open already, and `conflict` if the log does not extend a
    ///   checkpoint that is kept outside it.
    public init(
        folder: String,
        masterKeyFile: String? = nil,
        account: String = "owner",
        reason: String = ""
    ) throws(JournalError) {
        journal = try Journal(folder: JournalFolder(folder), masterKeyFile: masterKeyFile, options: .standard)
        do throws(JournalError) {
            do throws(ModelError) {
                try JournalEvent.check(reason: reason, field: "reason")
                try JournalEvent.check(purpose: reason)
            } catch {
                throw JournalError(error)
            }
            caller = try journal.accounts.caller(account, source: .ingest, reason: reason, purpose: reason)
        } catch {
            journal.close()
            throw error
        }
    }

    deinit { close() }

    /// Ends all sequences of events, waits for work in progress, and closes the journal.
    ///
    /// Every later call throws `failed`. The same process can open the folder again once this object, its sequences and
    /// its running calls are gone.
    public func close() {
        guard !isClosed.exchange(true, ordering: .sequentiallyConsistent) else { return }
        journal.close()
    }

    /// Why the newest checkpoint could not be kept beside the master key, also after `close()`; nil if it was.
    public var checkpointProblem: String? { journal.checkpointProblem?.message }

    /// The number of events in the log, which is the position of the newest one.
    public var size: UInt64 {
        get throws(JournalError) {
            do { return try open().head() } catch { throw JournalError(error) }
        }
    }

    private func open() throws(JournalError) -> Journal {
        guard !isClosed.load(ordering: .sequentiallyConsistent) else {
            throw JournalError(.failed, "the program has closed the journal")
        }
        return journal
    }

    // MARK: - Appending

    /// The outcome of an append, which is durable.
    public struct Appended: Hashable, Sendable {
        /// The position of the event in the log, from 1.
        public let position: UInt64
        /// The entry that the event became; nil if events of its type do not become entries.
        public let entry: UUID?
        /// Whether the same event, by its source and id, had been appended before; `position` is then that of the
        /// first.
        public let isRepeated: Bool
    }

    /// Appends an event of a program: a CloudEvent 1.0 in the JSON format.
    ///
    /// An event of the type `org.healthjournal.KIND.logged` becomes an entry of the record in its `subject`. Any other
    /// event is stored in a stream of its `source` and `type`, but a mistyped `org.healthjournal.` type is refused. An
    /// account stores an event once, however often it appends it; so an append with an unknown outcome, after an error or a
    /// cancellation, can be repeated.
    public func append(_ cloudEvent: String) async throws(JournalError) -> Appended {
        let event: CloudEvent
        do { event = try CloudEvent.read(Array(cloudEvent.utf8)) } catch { throw JournalError(error) }
        guard let result = try await open().ingest.append([event], stream: nil, caller).first else {
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
        /// After the last event that was recorded at a time or before it.
        case time(Date)

        fileprivate func asOf() throws(JournalError) -> AsOf {
            switch self {
            case .position(let position): return .position(position)
            case .time(let date):
                let microseconds = (date.timeIntervalSince1970 * 1_000_000).rounded()
                guard let microseconds = Int64(exactly: microseconds) else {
                    throw JournalError(.invalid, "the time is out of range")
                }
                return .instant(Instant(microseconds: microseconds))
            }
        }
    }

    /// The ids of the records that the account may see, with their display names, in the order of their creation.
    public func records() async throws(JournalError) -> [(id: UUID, name: String)] {
        try await open().records.listRecords(caller).map { ($0.id, $0.displayName) }
    }

    /// Returns a record as a JSON document, as it was known at a moment; by default, as it is known now.
    ///
    /// The member `asOf` of the document is the position of the last event that it includes.
    public func read(_ record: UUID, asOf moment: Moment? = nil) async throws(JournalError) -> String {
        let answer = try await open().records.read(record, ReadOptions(asOf: moment?.asOf()), caller)
        let opening = NativeDocument.opening(asOf: answer.asOf)
        return JSONWriter.text(.object(opening + answer.json().members), .compact)
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

    /// Returns the events after a position, and then those that any process appends.
    ///
    /// The contents of records are read for the account, and the reads are audited. The sequence ends when the task is
    /// cancelled or the journal is closed, and with an error when the account loses access to a record that it could
    /// see.
    public func events(after position: UInt64 = 0) -> Events { Events(journal: self, position: position) }

    /// Events of the log as they are appended.
    public struct Events: AsyncSequence, Sendable {
        fileprivate let journal: EmbeddedJournal
        fileprivate let position: UInt64

        /// Begins at the position that the sequence was created with.
        public func makeAsyncIterator() -> Iterator { Iterator(self) }

        /// The state of one pass over the events.
        public struct Iterator: AsyncIteratorProtocol, Sendable {
            private let journal: EmbeddedJournal
            private var pages: EventFeed.AsyncIterator
            private var waiting: ArraySlice<FeedEvent> = []

            fileprivate init(_ events: Events) {
                let caller = events.journal.caller
                journal = events.journal
                pages = journal.journal.feeds.follow(after: events.position) { () throws(JournalError) in caller }
                    .makeAsyncIterator()
            }

            /// Waits for the next event; nil once the task is cancelled or the journal is closed.
            public mutating func next(isolation: isolated (any Actor)?) async throws(JournalError) -> Event? {
                while waiting.isEmpty {
                    guard !isOver else { return nil }
                    do throws(JournalError) {
                        guard let page = try await pages.next(isolation: isolation) else { return nil }
                        waiting = page.events[...]
                    } catch {
                        guard !isOver else { return nil }
                        throw error
                    }
                }
                return waiting.popFirst()
                    .map {
                        Event(position: $0.position, type: $0.type.name, json: JSONWriter.text($0.json, .compact))
                    }
            }

            private var isOver: Bool {
                Task.isCancelled || journal.isClosed.load(ordering: .sequentiallyConsistent)
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
        /// The parts of the log that are not as they were written, with their positions; empty for a sound log.
        ///
        /// At most 100 faults are listed; `faultCount` counts all.
        public let faults: [String]
        /// The number of faults; 0 for a sound log.
        public let faultCount: Int
    }

    /// Verifies the whole log: every page, hash, seal and position.
    ///
    /// For accounts that oversee the journal. It uses all processors while it runs.
    public func verify() async throws(JournalError) -> Verification {
        let result = try await open().verifyLog(caller)
        return Verification(
            size: result.head,
            root: result.root.hexadecimal,
            faults: result.faults.map { "position \($0.position): \($0.what)" },
            faultCount: result.faultCount
        )
    }
}
