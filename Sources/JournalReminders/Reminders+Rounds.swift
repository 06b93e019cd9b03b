internal import CaregiverPermissions
internal import EventLog
internal import FoundationEssentials
internal import HealthModel
internal import Interchange
internal import JournalCare
internal import JournalCore
internal import JournalEvents
internal import MedicalRecords

/// Who is reminded of what.
extension Journal.Reminders {
    /// Returns the accounts that get reminders about each record at a moment.
    func reminderRecipients(at now: Instant) throws -> [UUID: [ReminderRecipient]] {
        let head = try journal.log.head()
        let today = journal.day(of: now)
        var found: [UUID: [ReminderRecipient]] = [:]
        for account in try journal.directory.remindedAccounts(journal.log, journal.permissions)
        where account.kind == .person {
            let caller = Caller(
                account: account.id,
                name: account.name,
                kind: account.kind,
                scope: .read,
                source: .system
            )
            let chosen = account.preferences.timeZone
            let home = chosen.isEmpty ? journal.zone.identifier : chosen
            let clock = try clock(in: home)
            for place in try journal.permissions.records(of: account.id, asOf: head) {
                let permission = place.permission
                guard permission.isOwner || permission.grant?.terms.notifies == true else { continue }
                // The account must be permitted to read what it is reminded of, each time.
                let topics = [
                    (ReminderRecipient.Topic.care, Journal.Care.careKinds), (.interactions, [Interaction.kind]),
                ]
                .filter { _, kinds in
                    let action = Action.read(kinds, .reminder)
                    let decision = Gate.decide(action, by: caller, permission: permission, now: now, today: today)
                    if case .allowed = decision { return true }
                    return false
                }
                .map(\.0)
                guard !topics.isEmpty else { continue }
                found[place.record, default: []]
                    .append(
                        ReminderRecipient(
                            account: account.id,
                            role: permission.isOwner ? .owner : .caregiver,
                            topics: Set(topics),
                            channels: account.openChannels.map(\.channel),
                            preferences: ReminderPreferences(account.preferences),
                            clock: clock
                        )
                    )
            }
        }
        return found
    }

    /// Returns the clock of a time zone; that of the journal if this program's table no longer has the zone.
    private func clock(in home: String) throws -> PersonClock {
        if let table = try? SystemZones.table(of: [home]) { return try PersonClock(ZoneHistory(home: home), table) }
        let own = journal.zone.identifier
        return try PersonClock(ZoneHistory(home: own), SystemZones.table(of: [own]))
    }

    /// Returns the reminders about one record.
    func dueReminders(
        about record: UUID,
        to recipients: [ReminderRecipient],
        at now: Instant
    ) throws -> OutgoingReminders {
        var all = OutgoingReminders(next: now.adding(minutes: 1_440))
        guard let header = try journal.medicalRecords.header(of: record, asOf: journal.log.head()), !header.isClosed
        else { return all }
        let care = try journal.care.careState(of: record, asOf: journal.log.head())
        guard !care.plans.isEmpty else { return all }
        let clocks = try journal.care.clocks(of: care)
        let sent = try sentReminders(about: record, around: now)
        let doses = try reminderDoses(care, clocks, at: now)
        let hasWebhooks = recipients.contains { $0.channels.contains { $0.kind == .webhook } }
        let low = hasWebhooks ? try lowStocks(care, clocks, at: now) : []
        let since = now.adding(minutes: -ReminderPlan.findingMinutes)
        let alarms = try journal.interactionChecks.newAlarms(in: record, since: since, now: now)
        let findings = alarms.map { (entry: $0.id, isCritical: $0.severity == .critical) }
        let plans = Dictionary(care.plans.map { ($0.id, $0) }) { first, _ in first }
        for recipient in recipients {
            var round = ReminderPlan.round(about: doses, to: recipient, sent: sent, now: now)
            round.add(ReminderPlan.round(aboutLow: low, to: recipient, sent: sent, now: now))
            round.add(ReminderPlan.round(aboutFindings: findings, to: recipient, sent: sent, now: now))
            all.wake(at: round.next)
            // A stock may be low for longer than the sent reminders that were read.
            for reminder in round.reminders where try journal.log.event(withKey: reminder.id) == nil {
                let subject = reminder.subject
                let named: String
                if let alarm = alarms.first(where: { $0.id == subject.plan }) {
                    named = ReminderText.named(subject.cause, alarm.parties, time: nil)
                } else if let plan = plans[subject.plan] {
                    named = text(of: reminder, plan, clocks)
                } else {
                    continue
                }
                var text = reminder.channel.carriesNames ? named : ReminderText.neutral(subject.cause)
                if reminder.due != nil, try hasTwoVersions(subject.plan) { text += ReminderText.twoVersions }
                all.reminders.append(OutgoingReminder(record: record, reminder: reminder, text: text))
            }
        }
        return all
    }

    /// Reports whether a plan was changed on two devices in two ways, and no decision was made yet.
    private func hasTwoVersions(_ plan: UUID) throws -> Bool {
        try !EntryDivergence.open(in: journal.log.recordedEvents(of: plan)).isEmpty
    }

    private func text(of reminder: Reminder, _ plan: CarePlan, _ clocks: CareClocks) -> String {
        guard let due = reminder.due else {
            return ReminderText.named(reminder.subject.cause, plan.name, time: nil)
        }
        let time = clocks.person.wall(at: due.due).time?.description
        return ReminderText.named(reminder.subject.cause, plan.text(of: due.intake), time: time)
    }

    /// Returns the planned doses that are open, ahead, or were missed a short time ago.
    private func reminderDoses(_ care: CareState, _ clocks: CareClocks, at now: Instant) throws -> [ReminderDose] {
        let latest = care.plans.map(\.plan.late).max() ?? Plan.defaultLate
        let days = latest / 1_440 + 3
        let today = Day(of: now)
        let logged = try journal.care.doses(
            of: care.plans,
            in: care,
            days: today.adding(days: -days)...today.adding(days: 3)
        )
        let snoozed = try journal.care.snoozes(of: care.record, asOf: care.position, around: now)
        return try care.plans.flatMap { plan throws(ModelError) -> [ReminderDose] in
            var day = try plan.plan.day(
                from: now.adding(minutes: -plan.plan.late - ReminderPlan.missedMinutes),
                until: now.adding(minutes: 1_440),
                clocks,
                doses: logged[plan.id] ?? [],
                now: now
            )
            day.mark(snoozed)
            return day.slots.map { ReminderDose(plan: plan.id, status: $0, isCritical: plan.isCritical) }
        }
    }

    private func sentReminders(about record: UUID, around moment: Instant) throws -> SentReminders {
        var sent = SentReminders()
        // A stock may be low for long. A command may ask about a moment ahead of the time at which events are recorded.
        let since = min(moment, journal.now).adding(minutes: -60 * 1_440)
        for event in try journal.care.recentEvents(of: journal.reminderStream(of: record), since: since) {
            if let data = event.event.data as? ReminderSent { sent.add(data.sent) }
        }
        return sent
    }

    /// Returns the plans whose stock must be refilled, with the entry that set its level.
    private func lowStocks(
        _ care: CareState,
        _ clocks: CareClocks,
        at now: Instant
    ) throws -> [(plan: UUID, entry: UUID)] {
        let today = clocks.person.day(at: now)
        return try care.plans.compactMap { plan in
            guard let answer = try journal.care.stock(of: plan, in: care, clocks, now: now),
                let refillBy = answer.refillBy,
                refillBy <= today, let entry = answer.levelSetBy
            else { return nil }
            return (plan.id, entry)
        }
    }
}

extension FindingDocument {
    /// What may interact, such as `Warfarin and ibuprofen`.
    fileprivate var parties: String {
        let names = details.first.map { [$0.first, $0.second].compactMap(\.self) } ?? medications + supplements
        return names.joined(separator: " and ")
    }
}

extension CarePlan {
    /// Whether reminders are sent in quiet hours too.
    var isCritical: Bool { state.content.body.flag(PlanFields.critical) ?? false }
}
