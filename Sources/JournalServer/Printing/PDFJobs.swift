import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Platform

/// PDFs that are rendered in the background for pages and cached for some minutes: one for each account.
final class PDFJobs: Sendable {
    /// How long a finished document is available.
    static let kept: Duration = .seconds(300)
    /// The most bytes that all finished documents may occupy; the oldest are evicted first.
    static let maximumBytes = PDFPrinter.maximumBytes
    /// How often a job retries while the printer is busy, and for how long in total.
    private static let pause: Duration = .milliseconds(500)
    private static let patience: Duration = .seconds(120)

    /// The content of a document, and the access right with which it is rendered.
    struct Order: Hashable, Sendable {
        let account: UUID
        let record: UUID
        let options: ReadOptions
        /// The language and the formats of the document.
        let settings: ReaderSettings
        let right: AccessRight
    }

    struct Document: Sendable {
        let bytes: [UInt8]
        let headers: HTTPFields
        /// The log's head before the record was read.
        let head: UInt64
    }

    enum State: Sendable {
        case running
        case done(Document)
        case failed(JournalError)
    }

    struct Job: Sendable {
        let id: UUID
        let order: Order
        let begun: ContinuousClock.Instant
        var state = State.running

        var isRunning: Bool { if case .running = state { true } else { false } }
        var byteCount: Int { if case .done(let document) = state { document.bytes.count } else { 0 } }
        /// Whole seconds since it began.
        var seconds: Int { Int((ContinuousClock.now - begun) / .seconds(1)) }
    }

    private struct Jobs {
        var byAccount: [UUID: Job] = [:]
        var tasks: [UUID: Task<Void, Never>] = [:]
        var isClosed = false
    }

    private let jobs = Guarded(Jobs())

    /// Starts a job for an order, or returns the job that is already running for the same order.
    func begin(_ order: Order, _ make: @escaping @Sendable () async throws -> Document) throws(JournalError) -> Job {
        let job = Job(id: UUID(), order: order, begun: .now)
        let answer: Job? = jobs.withLock { jobs in
            if let other = jobs.byAccount[order.account], other.isRunning {
                return other.order == order ? other : nil
            }
            guard !jobs.isClosed else { return nil }
            jobs.byAccount[order.account] = job
            jobs.tasks[job.id] = Task { await self.run(job, make) }
            return job
        }
        guard let answer else {
            throw JournalError(
                .busy,
                "another PDF is being created for this account; try again when it is done",
                retryAfter: 5
            )
        }
        return answer
    }

    /// A job of an account; nil when it does not exist or has expired.
    func job(_ id: UUID, of account: UUID) -> Job? {
        jobs.withLock { jobs in
            guard let job = jobs.byAccount[account], job.id == id else { return nil }
            return job
        }
    }

    /// Waits until a job has ended or the time limit has passed; returns its current state.
    func wait(for id: UUID, of account: UUID, atMost limit: Duration) async throws -> Job? {
        let end = ContinuousClock.now + limit
        while let job = job(id, of: account) {
            if !job.isRunning || ContinuousClock.now >= end { return job }
            try await Task.sleep(for: .milliseconds(50))
        }
        return nil
    }

    func forget(_ job: Job) {
        jobs.withLock { jobs in
            if jobs.byAccount[job.order.account]?.id == job.id { jobs.byAccount[job.order.account] = nil }
        }
    }

    /// Cancels all jobs and refuses new ones.
    func close() async {
        let tasks = jobs.withLock { jobs in
            jobs.isClosed = true
            jobs.byAccount = [:]
            return Array(jobs.tasks.values)
        }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }

    private func run(_ job: Job, _ make: @Sendable () async throws -> Document) async {
        let state: State
        do {
            state = .done(try await PDFJobs.whenThereIsAPlace(make))
        } catch {
            state = .failed(JournalError(error))
        }
        finish(job, state)
        try? await Task.sleep(for: PDFJobs.kept)
        forget(job)
        jobs.withLock { $0.tasks[job.id] = nil }
    }

    /// Retries while the printer is busy, so that a person who watches the page does not have to.
    private static func whenThereIsAPlace(_ make: @Sendable () async throws -> Document) async throws -> Document {
        let end = ContinuousClock.now + patience
        while true {
            do {
                return try await make()
            } catch let error as JournalError where error.code == .busy && ContinuousClock.now < end {
                try await Task.sleep(for: pause)
            }
        }
    }

    private func finish(_ job: Job, _ state: State) {
        jobs.withLock { jobs in
            guard jobs.byAccount[job.order.account]?.id == job.id else { return }
            jobs.byAccount[job.order.account]?.state = state
            let waiting = jobs.byAccount.values.sorted { $0.begun < $1.begun }
            var rest = waiting.reduce(0) { $0 + $1.byteCount }
            for old in waiting where rest > PDFJobs.maximumBytes && old.id != job.id && old.byteCount > 0 {
                rest -= old.byteCount
                jobs.byAccount[old.order.account] = nil
            }
        }
    }
}
