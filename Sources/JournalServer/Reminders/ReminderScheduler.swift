import FoundationEssentials
package import HealthJournal
package import HealthModel
import Logging
import ServiceLifecycle

/// Sends the reminders of a journal when they are due.
///
/// It wakes at the next moment at which one may be due, and when an event may have changed that moment.
struct ReminderScheduler: Service {
    let journal: Journal
    let sender: ReminderSender
    let logger: Logger

    /// How long it waits after a failed attempt, and while another process sends reminders.
    private static let retry: Duration = .seconds(60)
    /// How long it waits after a destination was refused, which only the operator can change.
    private static let refused: Duration = .seconds(3_600)

    /// How long the reminders of one computation are sent before they are computed again.
    private static let longestRound: Duration = .seconds(5)

    /// The longest wait, because the machine's clock may be corrected meanwhile.
    private static let longestWait: Duration = .seconds(3_600)

    init(_ journal: Journal, _ sender: ReminderSender, logger: Logger) {
        self.journal = journal
        self.sender = sender
        self.logger = logger
    }

    func run() async throws {
        await cancelWhenGracefulShutdown { await work() }
    }

    private func work() async {
        guard let lock = await waitForLock() else { return }
        var failures = ReminderFailures()
        while !Task.isCancelled {
            do {
                // Read before the reminders are computed, so that an event in between is not overlooked.
                let head = try journal.head()
                let round = try await journal.dueReminders(at: journal.now)
                if round.failures > 0 {
                    logger.error("reminders of some records failed", metadata: ["records": "\(round.failures)"])
                }
                let wait = min(round.next.distance(from: journal.now), ReminderScheduler.longestWait)
                var wake = ContinuousClock.now + wait
                let start = ContinuousClock.now
                for outgoing in round.reminders {
                    // Rights, doses and channels may have changed while a slow destination was waited for.
                    if ContinuousClock.now - start > ReminderScheduler.longestRound {
                        wake = .now
                        break
                    }
                    if let until = failures.blocked(outgoing.reminder.id, at: .now) {
                        wake = min(wake, until)
                    } else if let wait = await send(outgoing) {
                        let until = ContinuousClock.now + wait
                        failures.block(outgoing.reminder.id, until: until)
                        wake = min(wake, until)
                    } else {
                        // A follow-up may be due after it.
                        wake = .now
                    }
                }
                failures.keep(only: round.reminders.map(\.reminder.id))
                _ = try await journal.waitForCareEvents(after: head, until: wake)
            } catch {
                if Task.isCancelled { return }
                logger.error("reminders could not be computed")
                try? await Task.sleep(for: ReminderScheduler.retry)
            }
        }
        withExtendedLifetime(lock) {}
    }

    private func waitForLock() async -> ReminderLock? {
        while !Task.isCancelled {
            if let lock = try? journal.reminderLock() { return lock }
            try? await Task.sleep(for: ReminderScheduler.retry)
        }
        return nil
    }

    /// Sends one reminder and records it; returns how long to wait if that failed.
    private func send(_ outgoing: OutgoingReminder) async -> Duration? {
        let kind = outgoing.reminder.channel.kind.name
        do {
            try await sender.deliver(outgoing, of: journal, at: journal.now)
            return nil
        } catch let failure as ReminderFailure {
            switch failure {
            case .notAllowed:
                logger.warning("a reminder was refused", metadata: ["channel": "\(kind)"])
                return ReminderScheduler.refused
            case .failed:
                logger.warning("a reminder could not be sent", metadata: ["channel": "\(kind)"])
                return ReminderScheduler.retry
            case .ended:
                logger.notice("a browser has ended its subscription", metadata: ["channel": "\(kind)"])
                return nil
            }
        } catch {
            logger.error("a reminder could not be recorded", metadata: ["channel": "\(kind)"])
            return ReminderScheduler.retry
        }
    }
}

extension ReminderSender {
    /// Sends a reminder and then records it; a destination that is not permitted is recorded as refused.
    ///
    /// If the program ends in between, the reminder is sent again.
    func deliver(_ outgoing: OutgoingReminder, of journal: Journal, at now: Instant) async throws {
        do {
            try await send(outgoing, of: journal, at: now)
        } catch {
            switch error {
            case .notAllowed(let why): try await journal.refuseReminder(outgoing, reason: why)
            case .ended: try await journal.endChannel(outgoing.reminder.channel.id, of: outgoing.reminder.account)
            case .failed: break
            }
            throw error
        }
        try await journal.keep(outgoing, at: now)
    }

    /// Sends all reminders that are due at a moment; returns each with the reason if it was not sent.
    package func sendDue(
        of journal: Journal,
        at now: Instant
    ) async throws -> [(reminder: OutgoingReminder, failure: String?)] {
        var results: [(reminder: OutgoingReminder, failure: String?)] = []
        for outgoing in try await journal.dueReminders(at: now).reminders {
            do {
                try await deliver(outgoing, of: journal, at: now)
                results.append((outgoing, nil))
            } catch let failure as ReminderFailure {
                switch failure {
                case .notAllowed(let why), .failed(let why), .ended(let why): results.append((outgoing, why))
                }
            }
        }
        return results
    }
}

/// The reminders that could not be sent, and until when they are not tried again.
private struct ReminderFailures {
    private var until: [UUID: ContinuousClock.Instant] = [:]

    func blocked(_ id: UUID, at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        until[id].flatMap { $0 > now ? $0 : nil }
    }

    mutating func block(_ id: UUID, until end: ContinuousClock.Instant) { until[id] = end }

    /// Forgets reminders that are no longer due.
    mutating func keep(only ids: [UUID]) {
        let kept = Set(ids)
        until = until.filter { kept.contains($0.key) }
    }
}

extension Instant {
    /// The time from another instant to this one; zero if it is in the past.
    fileprivate func distance(from other: Instant) -> Duration {
        .microseconds(max(0, microseconds - other.microseconds))
    }
}
