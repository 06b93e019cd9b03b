package import HealthModel
package import Interchange

/// The page of an animal's appointments at all practices, for its owners.
package struct RecordAppointmentsPage: WebPage {
    package static let template = Template("record-appointments")

    package let head: RecordHead
    package let coming: [Item]
    package let past: [Item]
    package let hasComing: Bool
    package let hasPast: Bool
    /// The triages of the animal, the newest first.
    package let triages: [Visit]
    package let hasTriages: Bool
    /// The practices at which the reader can book.
    package let practices: [Place]
    package let hasPractices: Bool
    /// The practices at which the animal is or was registered or that ask for it, the latest one first.
    package let registrations: [Registration]
    package let hasRegistrations: Bool
    /// Whether a practice asks.
    package let isAsked: Bool

    /// A registration, with what the reader can do about it.
    package struct Registration: Sendable {
        package let address: String
        package let practice: String
        package let status: String
        package let isRequested: Bool
        package let isAccepted: Bool
        package let acceptLabel: String
        package let refuseLabel: String
        package let endLabel: String

        init(_ registration: RegistrationDocument, _ head: RecordHead, _ words: Words) {
            address = "\(head.address)/registrations/\(registration.practice.text)"
            practice = registration.practiceName
            status = words["registration.\(registration.status.rawValue)"]
            isRequested = registration.status == .requested
            isAccepted = registration.status == .accepted
            func label(_ key: String) -> String { "\(words[key]): \(registration.practiceName)" }
            acceptLabel = label("registrationAccept")
            refuseLabel = label("registrationRefuse")
            endLabel = label("registrationEnd")
        }
    }

    /// An appointment, with its practice, whose clock its times follow.
    package struct Item: Sendable {
        package let line: AppointmentLine
        package let practice: String
        package let zoneText: String
        package let instructions: String?
        package let moveAddress: String?
        package let cancelAddress: String?
        package let moveLabel: String
        package let cancelLabel: String
    }

    /// A triage, which its own page explains.
    package struct Visit: Sendable {
        package let address: String
        package let when: String
        package let practice: String
        package let badge: LevelBadge

        package init(_ triage: TriageDocument, _ view: PracticeView) {
            address = "/triage/\(triage.id.text)"
            when = view.reader.moment(triage.arrivedAt)
            practice = view.practice.profile.name
            badge = LevelBadge(triage.level, view.words)
        }
    }

    package struct Place: Sendable {
        package let address: String
        package let label: String
    }

    /// An appointment with its practice, and whether the reader may still move and cancel it.
    package struct Entry: Sendable {
        package let appointment: AppointmentDocument
        package let view: PracticeView
        package let mayChange: Bool

        package init(_ appointment: AppointmentDocument, _ view: PracticeView, mayChange: Bool) {
            self.appointment = appointment
            self.view = view
            self.mayChange = mayChange
        }
    }

    package init(
        _ head: RecordHead,
        _ entries: [Entry],
        triages: [Visit],
        practices: [PracticeView],
        registrations: [RegistrationDocument],
        _ words: Words,
        now: Instant
    ) {
        self.head = head
        self.registrations = registrations.map { Registration($0, head, words) }
        hasRegistrations = !registrations.isEmpty
        isAsked = registrations.contains { $0.status == .requested }
        self.triages = triages.reversed()
        hasTriages = !triages.isEmpty
        let record = head.address.dropFirst("/records/".count)
        func items(_ entries: [Entry]) -> [Item] {
            entries.map { entry in
                let words = entry.view.words
                let line = AppointmentLine(entry.appointment, entry.view)
                let canMove = entry.mayChange && entry.appointment.status != .held
                return Item(
                    line: line,
                    practice: entry.view.practice.profile.name,
                    zoneText: entry.view.zoneText,
                    instructions: entry.appointment.details.instructions.isEmpty
                        ? nil : entry.appointment.details.instructions,
                    moveAddress: canMove
                        ? "\(entry.view.address)/book?record=\(record)&moving=\(line.id)" : nil,
                    cancelAddress: entry.mayChange ? "\(line.address)?change=cancel#cancel" : nil,
                    moveLabel: words["stepOf", words["step.move"], line.service, line.day],
                    cancelLabel: words["stepOf", words["step.cancel"], line.service, line.day]
                )
            }
        }
        let isComing = { (entry: Entry) in
            entry.appointment.details.end > now && entry.appointment.status.takesTime
        }
        coming = items(entries.filter(isComing))
        past = items(entries.filter { !isComing($0) }.reversed())
        hasComing = !coming.isEmpty
        hasPast = !past.isEmpty
        self.practices = practices.map {
            Place(
                address: "\($0.address)/book?record=\(record)",
                label: $0.words["bookAtPractice", $0.practice.profile.name]
            )
        }
        hasPractices = !practices.isEmpty
    }
}
