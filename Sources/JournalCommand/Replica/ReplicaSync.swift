import EventLog
import Foundation
import HealthJournal
import HealthModel
import Interchange

/// One sync of a replica with its service: sends the waiting changes, then fetches the new events.
///
/// The replica is open only between the requests, so that other commands can work on it meanwhile.
struct ReplicaSync {
    let place: LocationOptions
    let folder: ReplicaFolder
    let client: ServiceClient
    /// Whether changes that were refused before are sent again.
    let retries: Bool
    /// Whether everything is fetched again first, and sent again that the service may have lost.
    var startsOver = false

    /// What a sync did.
    struct Report {
        var sent = 0
        var outcomes: [SyncOutcome: Int] = [:]
        var fetched = 0
        var through: UInt64 = 0
        /// How many refused changes are kept here; those of erased records are not.
        var kept = 0
    }

    private static let pageLength = 1_000

    func run() async throws -> Report {
        guard let lock = try await Replica.lockSync(folder) else {
            throw JournalError(.busy, "another sync of this replica is under way")
        }
        defer { withExtendedLifetime(lock) {} }
        var report = Report()
        do {
            try await requireOwnAccount()
            if let rollback = try await findRollback() {
                guard startsOver else { throw rollback }
                let device = try await knownDevice()
                try await open { try await $0.restart(as: device) }
            } else if startsOver {
                try await open { try $0.forgetMirror() }
            }
            if startsOver { try await pull(&report) }
            let isAnswered = try await push(&report)
            try await pull(&report)
            report.kept = try await open { try $0.outbox.items().count(where: \.isRefused) }
            if !isAnswered {
                throw JournalError(.busy, "the service did not answer the changes; they wait here: sync again")
            }
        } catch let error as JournalError where error.code == .failed {
            let done = "\(report.sent) changes were sent and \(report.fetched) events fetched"
            let cause = error.message
            throw JournalError(.failed, "the sync stopped after \(done): \(cause). Run it again: the rest waits")
        }
        return report
    }

    private func open<Result>(_ body: (Replica) async throws -> Result) async throws -> Result {
        try await place.open(folder, body)
    }

    // MARK: - The service's log

    /// Throws if the token is another account's: it would fetch what that account may see.
    private func requireOwnAccount() async throws {
        let state = try await open { $0.state }
        let account = try await client.send(.get("session"))
            .read { session throws(ModelError) in try session.id("account") }
        guard account == state.account else {
            throw JournalError(
                .refused,
                "the replica is of the account \(state.accountName), and the token is another account's: nothing was sent"
            )
        }
    }

    /// Returns an error if the service was restored to an older state than the replica has seen.
    ///
    /// Throws if it is another journal.
    private func findRollback() async throws -> JournalError? {
        let state = try await open { $0.state }
        guard let text = state.checkpoint, let old = try? Checkpoint(ofNote: text), old.size > 0 else { return nil }
        let present = try await Checkpoint(ofNote: client.send(.get("log", "checkpoint")).text)
        guard present.origin == old.origin else { throw JournalError.otherJournal(at: state.service) }
        let last = max(old.size, state.through)
        guard present.size >= old.size else {
            let (first, size) = (present.size + 1, present.size)
            return rolledBack("its log ends at position \(size): positions \(first) to \(last) are missing there")
        }
        let query = [("from", String(old.size))]
        let proof = try await client.send(.get("log", "proofs", "consistency", query: query))
        do {
            _ = try ConsistencyProof(parsing: proof.bytes).check(extends: old)
            return nil
        } catch {
            return rolledBack("its log differs from what this replica fetched up to position \(last)")
        }
    }

    /// Returns the device as which the replica sends changes; registers it again if the service has lost it.
    private func knownDevice() async throws -> UUID {
        let state = try await open { $0.state }
        let devices = try await client.send(.get("devices"))
            .read { answer throws(ModelError) in
                try answer.objects("devices").map { device throws(ModelError) in try device.id("id") }
            }
        return devices.contains(state.device) ? state.device : try await client.registerDevice(named: state.deviceName)
    }

    private func rolledBack(_ what: String) -> JournalError {
        JournalError(
            .conflict,
            """
            the service was restored to an older state, or is another one: \(what). Nothing was sent or changed \
            here; ask the operator to restore a newer backup, or fetch everything again with: healthjournal sync \
            --from-start
            """
        )
    }

    // MARK: - Sending

    /// Sends what waits; returns false if the service took some of it and gave no reason for the rest.
    private func push(_ report: inout Report) async throws -> Bool {
        var last: UInt64 = 0
        while true {
            let batch = try await open { try $0.unsent(after: last, retrying: retries) }
            guard !batch.isEmpty else { return true }
            var request = ServiceRequest.get("sync")
            request.method = .post
            // Each change has an id by which the service recognizes it.
            request.hasOwnIDs = true
            request.headers = [("Device-Time", Instant(microseconds: EventLog.clock()).description)]
            request.body = ServiceRequest.Body(
                bytes: Array(batch.map(\.line).joined(separator: [0x0A])) + [0x0A],
                mediaType: "application/x-ndjson"
            )
            var received: [UInt8] = []
            var failure: (any Error)?
            do {
                try await client.send(request) { received += $0 }
            } catch {
                // The answers that arrived count: these changes are durable at the service.
                failure = error
            }
            let answers = answers(in: received, to: batch)
            try await open { try await $0.answered(answers) }
            for (_, answer) in answers { report.outcomes[answer.outcome, default: 0] += 1 }
            report.sent += answers.count
            if let failure { throw failure }
            guard let newest = answers.last else { return false }
            last = newest.change.seq
        }
    }

    /// Reads the complete lines of an answer; each names the change that it answers.
    private func answers(
        in bytes: [UInt8],
        to batch: [SyncCommand]
    ) -> [(change: SyncCommand, answer: Outbox.Answer)] {
        guard let end = bytes.lastIndex(of: 0x0A) else { return [] }
        let changes = Dictionary(uniqueKeysWithValues: batch.map { ($0.seq, $0) })
        return bytes[...end].split(separator: 0x0A)
            .compactMap { line in
                // A line that cannot be read is no answer: its change stays in the outbox, and is sent again.
                guard let object = try? NativeObject(JSONReader.read(Array(line))),
                    let change = (try? object.number("seq")).flatMap({ changes[$0] }),
                    let outcome = (try? object.text("outcome")).flatMap(SyncOutcome.init)
                else { return nil }
                let problem = try? object.optionalObject("problem")
                return (
                    change,
                    Outbox.Answer(
                        outcome,
                        position: (try? object.number("position")) ?? 0,
                        problem: (try? problem?.text("type"))?.split(separator: ":").last.map(String.init),
                        detail: try? problem?.text("detail"),
                        field: try? problem?.text("field")
                    )
                )
            }
    }

    // MARK: - Fetching

    private func pull(_ report: inout Report) async throws {
        while true {
            let start = try await open { try $0.start() }
            let page = try await page(after: start)
            let offset = page.now.microseconds - EventLog.clock()
            try await open { try await $0.absorb(page, after: start, clockOffset: offset) }
            report.fetched += page.events.count
            if !page.hasMore { break }
        }
        for record in try await open({ $0.state.again }) {
            var events: [MirroredEvent] = []
            var after: UInt64 = 0
            while true {
                let page = try await page(after: after, of: record)
                events += page.events
                after = page.through
                if !page.hasMore { break }
            }
            try await open { try await $0.refetched(record, events) }
            report.fetched += events.count
        }
        report.through = try await open { replica in
            try replica.prepareViews()
            let through = replica.state.through
            try await replica.compact()
            return through
        }
    }

    private func page(after position: UInt64, of record: UUID? = nil) async throws -> PulledPage {
        let answer = try await client.send(
            .get(
                "sync",
                query: [
                    ("after", String(position)), ("limit", String(ReplicaSync.pageLength)), ("data", "protobuf"),
                    ("record", record?.text),
                ]
            )
        )
        return try PulledPage(answer.bytes)
    }
}

extension Checkpoint {
    /// Reads the checkpoint in a signed note, whose signature is not checked.
    fileprivate init(ofNote text: String) throws {
        let note = try SignedNote(parsing: Array(text.utf8)[...])
        try self.init(parsing: note.text[...])
    }
}

extension ServiceClient {
    /// Registers a device of the account, and returns its id.
    func registerDevice(named name: String) async throws -> UUID {
        try await send(.write(.post, "devices", body: ["name": .string(name)]))
            .read { added throws(ModelError) in try added.id("device") }
    }
}
