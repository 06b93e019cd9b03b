import FoundationEssentials
import HealthJournal
import HealthModel
import Logging
import ServiceLifecycle

/// Sends the reminders of a journal when they are due.
///
/// It computes them at the next moment at which one may be due, and when an event may have changed that moment. Attempts
/// run in parallel, in the order and within the limits of ``ReminderQueue``. A reminder that could not be sent stays due:
/// it is tried again until it is of no more use, and then counted as lapsed.
struct ReminderScheduler: Service {
    private let journal: Journal
    private let sender: ReminderSender
    private let logger: Logger
    private var limits: ReminderLimits { sender.limits }

    init(_ journal: Journal, _ sender: ReminderSender, logger: Logger) {
        self.journal = journal
        self.sender = sender
        self.logger = logger
    }

    func run() async throws {
        guard let lock = await cancelWhenGracefulShutdown({ await waitForLock() }) else { return }
        await withTaskGroup(of: Wake.self) { await work(&$0) }
        withExtendedLifetime(lock) {}
    }

    /// Why the scheduler looks at its queue again.
    private enum Wake: Sendable {
        case finished(QueuedReminder, ReminderAttempt)
        /// The journal was watched up to a position; `isChanged` if an event may have changed the due reminders.
        case watched(UInt64, isChanged: Bool)
        /// The log cannot be read.
        case failed
        /// The time for attempts in progress is over, because the service stops.
        case stopped
    }

    private func work(_ group: inout TaskGroup<Wake>) async {
        var queue = ReminderQueue(limits)
        var position: UInt64 = 0
        var isWatching = false
        /// When the due reminders were computed, and when they must be computed again.
        var computed = ContinuousClock.now
        var next = ContinuousClock.now
        while !Task.isCancelled, !Task.isShuttingDownGracefully {
            let now = ContinuousClock.now
            if now >= next || (queue.isWaiting && now - computed > limits.roundAge) {
                // Read before the reminders are computed, so that an event in between is not overlooked.
                let head = try? journal.head()
                let round = await round(&queue)
                computed = .now
                next = computed + (round.map { min($0, limits.longestWait) } ?? limits.retry)
                position = max(position, head ?? 0)
            }
            let (started, later) = queue.take(at: .now)
            for reminder in started { group.addTask { .finished(reminder, await attempt(reminder)) } }
            if !isWatching {
                isWatching = true
                // While attempts are in progress, what they change may have to be sent soon.
                let soon = queue.isSending ? ContinuousClock.now + limits.roundInterval : next
                let end = min(next, later ?? next, soon)
                group.addTask { [position] in await watch(after: position, until: end) }
            }
            switch await group.next() {
            case .finished(let reminder, let attempt)?:
                if let again = queue.finish(reminder, attempt, at: .now) {
                    next = min(next, again)
                } else {
                    // A follow-up may be due after it.
                    next = min(next, queue.isSending ? computed + limits.roundInterval : .now)
                }
            case .watched(let seen, let isChanged)?:
                isWatching = false
                position = seen
                if isChanged { next = .now }
            case .failed?:
                isWatching = false
                queue.replace(with: [])
                next = .now + limits.retry
                try? await cancelWhenGracefulShutdown { try await Task.sleep(for: limits.retry) }
            case .stopped?, nil: break
            }
        }
        await drain(&group, &queue)
    }

    /// Waits for the attempts in progress, so that sent reminders are recorded, and then cancels the rest.
    private func drain(_ group: inout TaskGroup<Wake>, _ queue: inout ReminderQueue) async {
        if queue.isSending {
            group.addTask { [limits] in
                try? await Task.sleep(for: limits.stopping)
                return .stopped
            }
        }
        drain: while queue.isSending, let wake = await group.next() {
            switch wake {
            case .finished(let reminder, let attempt): _ = queue.finish(reminder, attempt, at: .now)
            case .stopped: break drain
            case .watched, .failed: continue
            }
        }
        group.cancelAll()
    }

    /// Computes the due reminders; returns the time until more may be due, nil if that failed.
    private func round(_ queue: inout ReminderQueue) async -> Duration? {
        do {
            let round = try await journal.reminders.dueReminders(at: journal.now)
            if round.failures > 0 {
                logger.error("reminders of some records failed", metadata: ["records": "\(round.failures)"])
            }
            let lapsed = sender.monitor.update(queue.replace(with: round.reminders), at: journal.now)
            if lapsed > 0 {
                logger.error(
                    "reminders were not sent before they were of no more use",
                    metadata: ["count": "\(lapsed)"]
                )
            }
            return round.next.distance(from: journal.now)
        } catch {
            queue.replace(with: [])
            if !Task.isCancelled { logger.error("reminders could not be computed") }
            return nil
        }
    }

    /// Waits until an event may change the due reminders, until a moment, or until the service stops.
    private func watch(after position: UInt64, until end: ContinuousClock.Instant) async -> Wake {
        do {
            let seen = try await cancelWhenGracefulShutdown {
                try await journal.reminders.waitForCareEvents(after: position, until: end)
            }
            return .watched(seen, isChanged: ContinuousClock.now < end)
        } catch {
            return Task.isCancelled || Task.isShuttingDownGracefully ? .watched(position, isChanged: false) : .failed
        }
    }

    private func waitForLock() async -> ReminderLock? {
        while !Task.isCancelled {
            if let lock = try? journal.reminders.reminderLock() { return lock }
            try? await Task.sleep(for: limits.retry)
        }
        return nil
    }

    /// Sends one reminder and records it.
    private func attempt(_ reminder: QueuedReminder) async -> ReminderAttempt {
        let metadata: Logger.Metadata = ["channel": "\(reminder.outgoing.reminder.channel.kind.name)"]
        let attempt = await sender.deliver(reminder.outgoing, of: journal) { journal.now }
        switch attempt {
        case .sent, .cancelled: break
        case .unrecorded: logger.error("a reminder was sent, but cannot be recorded", metadata: metadata)
        case .failed(.notAllowed): logger.warning("a reminder was refused", metadata: metadata)
        case .failed(.silent), .failed(.rejected):
            logger.warning("a reminder could not be sent", metadata: metadata)
        case .failed(.ended): logger.notice("a browser has ended its subscription", metadata: metadata)
        }
        return attempt
    }
}

extension Instant {
    /// The time from another instant to this one; zero if it is in the past.
    fileprivate func distance(from other: Instant) -> Duration {
        .microseconds(max(0, microseconds - other.microseconds))
    }
}
