import FoundationEssentials
import Testing

@testable import HealthModel

@Suite("Definitions of events")
struct EventDefinitionTests {
    /// A field that appears in the wrong place of this list is a leak: secrets, digests and addresses are only stored.
    @Test("Each field of each event is shown only where this list says")
    func visibility() {
        let shown = EventType.allCases.map(\.definition).filter { !$0.fields.isEmpty }
            .map { definition in
                let fields = definition.fields.map { field in
                    let places = [
                        field.visibility.contains(.json) ? "j" : "", field.visibility.contains(.trail) ? "t" : "",
                    ]
                    return "\(field.field.number) \(field.field.name):\(places.joined())"
                }
                return "\(definition.name): \(fields.joined(separator: ", "))"
            }
        #expect(shown == EventDefinitionTests.expected)
    }

    private static let expected: [String] = [
        "journal.created: 1 name:t, 2 zone:jt",
        "journal.accepted: 1 expectedSize:, 2 expectedRoot:, 3 foundSize:",
        "journal.backedUp: 1 place:, 2 head:j",
        "journal.restored: 1 head:j, 2 from:",
        "rules.loaded: 1 name:jt, 2 version:jt, 3 licence:jt, 4 digest:j, 5 count:jt",
        "names.loaded: 1 name:jt, 2 version:jt, 3 digest:j, 4 count:jt",
        "import.begun: 1 format:jt, 2 digest:j, 3 mapping:j",
        "import.ended: 1 format:jt, 2 added:jt, 3 corrected:jt, 4 retracted:jt",
        "account.added: 1 name:jt, 2 kind:jt, 3 email:t",
        "token.issued: 1 token:j, 2 scope:jt, 3 expires:jt, 4 digest:",
        "token.revoked: 1 token:j",
        "account.passwordSet: 1 salt:, 2 hash:, 3 rounds:, 4 blockSize:, 5 parallelism:",
        "session.begun: 1 session:, 2 digest:, 3 expires:t",
        "session.ended: 1 session:",
        "token.used: 1 token:",
        "account.identityLinked: 1 identity:, 2 issuer:t, 3 subject:t",
        "account.identityUnlinked: 1 identity:",
        "account.profileSet: 1 email:t, 2 displayName:jt, 3 pictureAddress:t",
        "record.created: 1 profile:, 2 owners:t",
        "record.changed: 1 profile:",
        "record.held: 1 until:jt",
        "record.ownerAdded: 1 account:j",
        "record.ownerRemoved: 1 account:j",
        "record.transferred: 1 account:j",
        "import.undone: 1 import:j",
        "entry.diverged: 1 base:jt, 2 author:jt, 3 device:jt, 4 madeAt:jt, 5 fields:jt, 6 values:, 7 retracted:jt, "
            + "8 settled:jt",
        "divergence.settled: 1 position:jt, 2 choice:jt",
        "entry.erased: 1 copies:jt",
        "caregiver.granted: 1 account:j, 2 sections:jt, 3 verbs:jt, 4 from:jt, 5 until:jt, "
            + "6 emergencyAfterEnd:jt, 7 invitedBy:jt, 8 silent:jt",
        "caregiver.revoked: 1 account:j",
        "caregiver.invited: 1 invitation:j, 2 digest:, 3 expires:jt, 4 sections:jt, 5 verbs:jt, 6 from:jt, "
            + "7 until:jt, 8 emergencyAfterEnd:jt, 9 silent:jt",
        "invitation.accepted: 1 invitation:j",
        "invitation.withdrawn: 1 invitation:j",
        "calendar.linked: 1 calendar:j, 2 feed:jt, 3 digest:, 4 names:jt, 5 times:jt, 6 account:j, 7 practice:j",
        "calendar.unlinked: 1 calendar:j",
        "emergency.opened: 1 account:j, 2 expires:jt",
        "notice.acknowledged: 1 notice:j",
        "access.summarised: 1 action:j, 2 sections:j, 3 count:j, 4 first:j, 5 last:j",
        "value.claimed: 1 holder:",
        "external.received: 1 stream:, 2 contentType:, 3 data:",
        "dose.snoozed: 1 plan:jt, 2 slot:jt, 3 until:jt",
        "reminder.sent: 1 account:j, 2 channel:jt, 3 cause:jt, 4 plan:jt, 5 about:jt, 6 number:jt, 7 at:jt",
        "account.preferencesSet: 1 notificationsEnabled:jt, 2 voiceInputEnabled:jt, 3 timeZone:jt, "
            + "4 language:jt, 5 reminderFrequency:jt, 6 breakfast:jt, 7 lunch:jt, 8 dinner:jt, 9 bedtime:jt, "
            + "10 followUps:jt, 11 followUpMinutes:jt, 12 quietFrom:jt, 13 quietUntil:jt, 14 namesInReminders:jt",
        "account.subscriptionSet: 1 status:jt, 2 type:jt, 3 trialEnd:jt",
        "channel.added: 1 channel:j, 2 kind:jt, 3 address:, 4 names:jt, 5 secret:",
        "channel.removed: 1 channel:j",
        "device.added: 1 device:jt, 2 name:jt",
        "device.removed: 1 device:jt",
        "practice.created: 1 profile:jt",
        "practice.changed: 1 profile:jt",
        "timetable.set: 1 from:jt, 2 usual:jt, 3 emergency:jt, 4 holidays:jt",
        "specialist.added: 1 practice:jt, 2 profile:jt",
        "specialist.changed: 1 profile:jt",
        "availability.set: 1 practice:jt, 2 from:jt, 3 hours:jt, 4 preferences:jt",
        "absence.added: 1 absence:jt, 2 from:jt, 3 until:jt, 4 why:jt",
        "absence.removed: 1 absence:jt",
        "specialist.ended: 1 from:jt",
        "specialist.joined: 1 practice:jt",
        "specialist.left: 1 practice:jt, 2 from:jt",
        "client.added: 1 practice:jt, 2 profile:jt",
        "client.changed: 1 profile:jt",
        "service.set: 1 service:jt, 2 profile:jt",
        "service.ended: 1 service:jt",
        "place.set: 1 place:jt, 2 profile:jt",
        "place.ended: 1 place:jt",
        "member.granted: 1 account:j, 2 roles:jt, 3 specialist:jt, 4 from:jt, 5 until:jt",
        "member.revoked: 1 account:j",
        "triageRules.adopted: 1 rules:jt, 2 digest:jt, 3 text:jt, 4 veterinarian:jt",
        "registration.requested: 1 practice:jt, 2 profile:jt",
        "registration.made: 1 practice:jt, 2 number:jt",
        "registration.changed: 1 profile:jt",
        "registration.ended: 1 practice:jt",
        "recall.set: 1 recall:jt, 2 service:jt, 3 due:jt, 4 group:jt",
        "recall.met: 1 recall:jt",
        "recall.dropped: 1 recall:jt",
        "slot.taken: 1 appointment:jt, 2 from:jt, 3 to:jt, 4 minutes:jt, 5 until:jt",
        "slot.freed: 1 appointment:jt",
        "slot.blocked: 1 block:jt, 2 from:jt, 3 to:jt",
        "wait.added: 1 practice:jt, 2 profile:jt",
        "wait.offered: 1 appointment:jt",
        "appointment.held: 1 details:jt, 2 until:jt",
        "appointment.booked: 1 details:jt",
        "appointment.confirmed: 1 by:jt",
        "appointment.rescheduled: 1 details:jt",
        "appointment.reassigned: 1 details:jt",
        "appointment.displaced: 1 details:jt, 2 by:jt",
        "appointment.cancelled: 1 by:jt, 2 code:jt",
        "appointment.reinstated: 1 details:jt",
        "appointment.changed: 1 details:jt",
        "appointment.noteAdded: 1 text:jt",
        "triage.begun: 1 practice:jt, 2 arrivedAt:jt, 3 appointment:jt, 4 complaint:jt",
        "triage.assessed: 1 assessment:jt",
        "triage.overridden: 1 level:jt",
        "triage.taken: 1 specialist:jt",
        "triage.left: 1 why:jt",
        "triage.judged: 1 level:jt",
        "source.kept: 1 format:jt, 2 about:j, 3 members:",
        "clock.accepted: 1 expected:j, 2 found:j",
        "erasures.repeated: 1 count:j",
    ]

    @Test("Codes, names and the numbers and names of fields are unique")
    func unique() {
        let definitions = EventType.allCases.map(\.definition)
        #expect(Set(EventType.allCases.map(\.rawValue)).count == EventType.allCases.count)
        let names = definitions.flatMap { [$0.name] + $0.formerNames }
        #expect(Set(names).count == names.count)
        for definition in definitions {
            let fields = definition.fields.map(\.field)
            #expect(Set(fields.map(\.number)).count == fields.count, "\(definition.name)")
            #expect(Set(fields.map(\.name)).count == fields.count, "\(definition.name)")
            #expect(fields.allSatisfy { $0.number > 0 }, "\(definition.name)")
        }
    }
}
