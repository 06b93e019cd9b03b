import FoundationEssentials
package import HealthJournal
package import HealthModel

extension ReminderSender {
    /// Sends a reminder and then records it; a destination that is not permitted is recorded as refused.
    ///
    /// If the program ends in between, the reminder is sent again. A sent reminder that cannot be recorded yet, because
    /// the disk is full for example, is not sent again: recording it is retried.
    func deliver(
        _ outgoing: OutgoingReminder,
        of journal: Journal,
        now: () -> Instant
    ) async -> ReminderAttempt {
        let start = now()
        do {
            try await send(outgoing, of: journal, at: start)
        } catch {
            if Task.isCancelled { return .cancelled }
            monitor.failed(outgoing.reminder, error)
            switch error {
            case .notAllowed(let why): try? await journal.reminders.refuseReminder(outgoing, reason: why)
            case .ended:
                try? await journal.reminders.endChannel(outgoing.reminder.channel.id, of: outgoing.reminder.account)
            case .silent, .rejected: break
            }
            return .failed(error)
        }
        monitor.sent(outgoing.reminder, at: now())
        while true {
            do {
                try await journal.reminders.keep(outgoing, at: start)
                return .sent
            } catch {
                // Holds its place among the attempts in progress: while nothing can be recorded, little is sent.
                guard error.isTransient, (try? await Task.sleep(for: limits.recordingRetry)) != nil else {
                    return .unrecorded
                }
            }
        }
    }

    /// Sends all reminders that are due at a moment; returns each with the reason if it was not sent.
    ///
    /// Each is attempted once, except those to a host that did not answer another reminder of the same account.
    package func sendDue(
        of journal: Journal,
        at now: Instant
    ) async throws(JournalError) -> [(reminder: OutgoingReminder, failure: Message?)] {
        let due = try await journal.reminders.dueReminders(at: now).reminders
        var attempts: [UUID: ReminderAttempt] = [:]
        await withTaskGroup(of: (QueuedReminder, ReminderAttempt).self) { group in
            var queue = ReminderQueue(limits)
            queue.replace(with: due)
            while true {
                for reminder in queue.take(at: .now).reminders {
                    group.addTask { (reminder, await deliver(reminder.outgoing, of: journal) { now }) }
                }
                guard let (reminder, attempt) = await group.next() else { break }
                attempts[reminder.id] = attempt
                _ = queue.finish(reminder, attempt, at: .now)
            }
        }
        return due.map { ($0, attempts[$0.reminder.id].failure) }
    }
}

extension ReminderAttempt? {
    /// Why a reminder was not sent; nil if it was.
    fileprivate var failure: Message? {
        switch self {
        case .sent: nil
        case .unrecorded: "it was sent, but cannot be recorded, and is sent again by the next run"
        case .failed(let failure): failure.reason
        case .cancelled: "the program was stopped"
        case nil: "its host does not answer, or too many reminders are due: run it again"
        }
    }
}
