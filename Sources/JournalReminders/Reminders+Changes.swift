internal import CaregiverPermissions
internal import EventLog
package import FoundationEssentials
package import HealthModel
internal import Interchange
package import JournalCore
internal import JournalEvents
internal import MedicalRecords
internal import Platform
internal import ProjectionKit

/// A reminder with its text, ready to be sent.
package struct OutgoingReminder: Hashable, Sendable {
    package let record: UUID
    package let reminder: Reminder
    /// Contains names only if the person chose that for the channel.
    package let text: String
}

/// The reminders that are to be sent at one moment, and when to ask again.
package struct OutgoingReminders: Sendable {
    package var reminders: [OutgoingReminder] = []
    /// The first moment after this one at which a reminder may be due, at most a day later.
    package var next: Instant
    /// How many records could not be read; they do not keep others from being reminded.
    package var failures = 0

    mutating func wake(at instant: Instant?) {
        if let instant { next = min(next, instant) }
    }
}

extension Journal.Reminders {
    /// Returns the reminders that are due at a moment, about all records.
    ///
    /// The scheduler of reminders reads plans and doses without a caller. What leaves the journal is recorded by
    /// ``keep(_:at:)``.
    package func dueReminders(at now: Instant) async throws(JournalError) -> OutgoingReminders {
        try await journal.retrying {
            var all = OutgoingReminders(next: now.adding(minutes: 1_440))
            for (record, recipients) in try reminderRecipients(at: now) {
                do {
                    let found = try dueReminders(about: record, to: recipients, at: now)
                    all.reminders += found.reminders
                    all.wake(at: found.next)
                } catch let error as EventLogError where error.code == .subjectErased {
                    continue
                } catch let error as ViewLagging {
                    throw error
                } catch {
                    all.failures += 1
                }
            }
            all.reminders.sort { $0.reminder.order < $1.reminder.order }
            return all
        }
    }

    /// Records that a reminder was sent.
    ///
    /// The event's id follows from the reminder: one that was sent twice, because the program ended in between, is
    /// recorded once.
    package func keep(_ outgoing: OutgoingReminder, at now: Instant) async throws(JournalError) {
        do {
            var change = try Change(besides: journal, reminderCaller(outgoing.reminder.account))
            try change.add(
                .reminderSent(outgoing.reminder.sent(at: now)),
                id: outgoing.reminder.id,
                in: .stream(journal.reminderStream(of: outgoing.record), of: outgoing.record)
            )
            _ = try await change.commit()
        } catch let error as EventLogError where error.code == .keyConflict {
            return
        } catch {
            throw JournalError(error)
        }
    }

    /// Records that a reminder was not sent because the operator does not permit its destination.
    package func refuseReminder(_ outgoing: OutgoingReminder, reason: Message) async throws(JournalError) {
        try await journal.retrying {
            var caller = reminderCaller(outgoing.reminder.account)
            caller.purpose = reason.description
            _ = try await journal.access.refusal(
                of: caller,
                .reminder,
                [.myhealth],
                on: outgoing.record,
                reason: reason
            )
        }
    }

    /// Records in the journal's own access stream that a test of a channel was refused; returns the error to throw.
    package func refuseTest(of channel: ReminderChannel, reason: Message, _ caller: Caller) async throws(JournalError)
        -> JournalError
    {
        try await journal.retrying { try await journal.access.refusal(of: caller, .reminder, reason: reason) }
    }

    /// Takes the right to send reminders, which one process has at a time; nil while another one has it.
    package func reminderLock() throws(JournalError) -> ReminderLock? {
        do {
            return try FileLock(of: journal.log.folder.index, .alone).map { ReminderLock(lock: $0) }
        } catch {
            throw JournalError(error)
        }
    }

    /// Waits until an event may change the due reminders, or until a moment; returns the position up to which it
    /// looked.
    ///
    /// Events that record a read or a reminder change nothing.
    package func waitForCareEvents(after position: UInt64, until end: ContinuousClock.Instant) async throws -> UInt64 {
        var done = position
        while ContinuousClock.now < end {
            let head = try await journal.log.waitForEvents(after: done, atMost: end - ContinuousClock.now)
            guard head > done else { break }
            var matters = false
            try journal.log.forEachFrame(after: done, through: head) { frame in
                matters = frame.mattersForReminders
                return !matters
            }
            done = head
            if matters { break }
        }
        return done
    }

    func reminderCaller(_ account: UUID) -> Caller {
        Caller(account: account, name: "", kind: .person, source: .system)
    }
}

/// The right to send the reminders of a journal, as long as this object exists.
package final class ReminderLock: Sendable {
    private let lock: FileLock

    fileprivate init(lock: FileLock) { self.lock = lock }
}

extension Reminder {
    /// Reminders are sent in the order of their times.
    fileprivate var order: (Int64, String, String) {
        (due?.due.microseconds ?? .max, subject.about, channel.id.text)
    }
}

extension Frame {
    fileprivate var mattersForReminders: Bool {
        switch EventType(rawValue: type) {
        case ReminderSent.type, TokenUsed.type, SessionBegun.type, SessionEnded.type: false
        case let type?: [.account, .record, .entry, .grant, .care].contains(type.category)
        case nil: false
        }
    }
}
