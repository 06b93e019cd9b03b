internal import HealthModel
package import Interchange

/// The page of an appointment: the agreed details, the changes that are possible now, and all of its versions.
package struct AppointmentPage: WebPage {
    package static let template = Template("appointment")

    package let line: AppointmentLine
    package let practice: String
    package let zoneText: String
    package let crumbs: [Crumb]
    package let facts: [LabelledText]
    package let notes: [Note]
    package let hasNotes: Bool
    package let isRetracted: Bool
    /// A problem of a change that is not shown beside a field.
    package let problem: String?
    /// The free times instead of one that was taken.
    package let alternatives: [String]
    package let hasAlternatives: Bool
    package let action: String
    /// The next change; nil if there is none.
    package let next: StepForm?
    package let others: [StepForm]
    package let hasOthers: Bool
    package let moveAddress: String?
    /// Where another appointment of the animal is booked.
    package let againAddress: String?
    /// Where the patient is put on the triage board.
    package let boardAddress: String?
    /// The triage from which it was booked; nil without one, and for those who see no triage.
    package let triageAddress: String?
    package let versions: [ShownVersion]
    package let version: UInt64
    /// Identifies a form that is sent twice.
    package let key: String

    package struct Crumb: Sendable {
        package let address: String
        package let label: String

        package init(_ address: String, _ label: String) {
            self.address = address
            self.label = label
        }
    }

    /// A remark of the staff.
    package struct Note: Sendable {
        package let text: String
        package let origin: String
    }

    /// A version, with what it changed.
    package struct ShownVersion: Sendable {
        package let what: String
        package let when: String
        package let iso: String
        package let who: String
        package let reason: String?
        package let changes: [ShownChange]
        /// The day of the appointment as it was known then; nil for clients.
        package let dayAddress: String?
    }

    package init(
        _ appointment: AppointmentDocument,
        versions: [(label: String, version: AppointmentVersionDocument)],
        steps: [StepForm],
        next: String?,
        mayMove: Bool,
        mayTriage: Bool,
        isMember: Bool,
        problem: String? = nil,
        alternatives: [FreeSlotDocument] = [],
        key: String,
        _ names: Names,
        _ view: PracticeView
    ) {
        let words = view.words
        let details = appointment.details
        line = AppointmentLine(appointment, view)
        practice = view.practice.profile.name
        zoneText = view.zoneText
        let day = view.clock.day(at: details.start)
        crumbs =
            isMember
            ? [
                Crumb("/practices", words["practices"]), Crumb("\(view.address)/day", practice),
                Crumb("\(view.address)/day?day=\(day)", view.reader.day(day)),
            ]
            : [
                Crumb("/records", words["home"]),
                Crumb("/records/\(appointment.record.text)/appointments", words["tab.appointments"]),
            ]
        facts = AppointmentPage.facts(appointment, isMember: isMember, view)
        notes = appointment.notes.map {
            Note(text: $0.text, origin: words["noteBy", names[$0.addedBy, view.reader], view.reader.moment($0.addedAt)])
        }
        hasNotes = !notes.isEmpty
        isRetracted = appointment.isRetracted
        self.problem = problem
        self.alternatives = alternatives.map {
            words["slotOf", view.day($0.wall.day), view.time($0.start), $0.specialistName]
        }
        hasAlternatives = !alternatives.isEmpty
        action = "/appointments/\(appointment.id.text)/change"
        self.next = steps.first { $0.change == next }
        others = steps.filter { $0.change != next }
        hasOthers = !others.isEmpty
        moveAddress =
            mayMove
            ? "\(view.address)/book?record=\(appointment.record.text)&moving=\(appointment.id.text)" : nil
        againAddress =
            isMember && appointment.patientName != nil ? "\(view.address)/book?record=\(appointment.record.text)" : nil
        boardAddress =
            mayTriage && appointment.patientName != nil
            ? "\(view.address)/arrive?record=\(appointment.record.text)&appointment=\(appointment.id.text)" : nil
        triageAddress = view.seesBoard ? details.assessment.map { "/triage/\($0.text)" } : nil
        version = appointment.position
        self.key = key
        self.versions = zip(versions, [nil] + versions.map(Optional.some))
            .map { item, before in
                let (label, version) = item
                let own = view.clock.day(at: version.appointment.details.start)
                return ShownVersion(
                    what: label,
                    when: view.reader.exactMoment(version.recordedAt),
                    iso: version.recordedAt.description,
                    who: names[version.actor, view.reader],
                    reason: version.reason,
                    changes: version.appointment.changes(from: before?.version.appointment, view),
                    dayAddress: isMember ? "\(view.address)/day?day=\(own)&asOf=\(version.recordedAt)" : nil
                )
            }
            .reversed()
    }

    private static func facts(
        _ appointment: AppointmentDocument,
        isMember: Bool,
        _ view: PracticeView
    ) -> [LabelledText] {
        let (words, reader, details) = (view.words, view.reader, appointment.details)
        let moments: [(String, Instant?)] = [
            ("heldUntil", appointment.status == .held ? appointment.heldUntil : nil),
            ("arrivedOn", appointment.arrivedAt),
            ("begunOn", appointment.begunAt), ("completedOn", appointment.completedAt),
        ]
        let texts: [(String, String?)] = [
            ("when", view.moment(of: details)), ("duration", reader.duration(details.minutes)),
            ("client", appointment.client.map { [$0.name, $0.phone].compactMap(\.self).joined(separator: ", ") }),
            ("service", view.service(of: details)), ("withWhom", view.specialists(of: details)),
            ("room", isMember ? view.places(details.places) : nil), ("visitReason", details.reason),
            ("instructions", details.instructions), ("staffNotes", details.notes),
        ]
        let buffers = details.bufferBefore + details.bufferAfter > 0 && isMember
        return texts.compactMap { name, text in
            text.flatMap { $0.isEmpty ? nil : LabelledText(words[name], $0) }
        }
            + (buffers
                ? [
                    LabelledText(
                        words["buffers"],
                        words["buffersOf", reader.duration(details.bufferBefore), reader.duration(details.bufferAfter)]
                    )
                ] : [])
            + moments.compactMap { name, moment in
                moment.map { LabelledText(words[name], reader.moment($0)) }
            }
            + (appointment.cancelledBy
                .map { [LabelledText(words["cancelledBy"], words["appointmentParty.\($0.rawValue)"])] } ?? [])
            + (appointment.isCancelledLate ? [LabelledText(words["cancelledLate"], words["yes"])] : [])
            + (details.match.map { [LabelledText(words["ranking"], view.match($0))] } ?? [])
            + (appointment.cancelCode.isEmpty
                ? []
                : [
                    LabelledText(
                        words["cancelCode"],
                        words.texts["cancelCode.\(appointment.cancelCode)"] ?? appointment.cancelCode
                    )
                ])
    }
}

extension PracticeView {
    /// Returns the place of an appointment's specialist in the ranking of the triage from which it was booked.
    fileprivate func match(_ match: SpecialistMatch) -> String {
        let count = reader.number(match.ranking.ranked.count)
        guard let rank = match.rank, let points = match.points else { return words["matchNone", count] }
        return words["matchOf", reader.number(rank), count, reader.number(points)]
    }
}

/// The form of one change of an appointment.
package struct StepForm: Sendable {
    package let change: String
    package let name: String
    package let label: String
    package let fields: [FormField]
    package let isGrave: Bool
    /// Whether the form is shown open, because it was sent and refused, or because a link leads to it.
    package let isOpen: Bool

    package init(
        _ change: String,
        label: String,
        fields: [FormField],
        isGrave: Bool = false,
        isOpen: Bool = false,
        _ words: Words
    ) {
        self.change = change
        name = words["step.\(change)"]
        self.label = label
        self.fields = fields.map { $0.placed(in: change) }
        self.isGrave = isGrave
        self.isOpen = isOpen || fields.contains { $0.problem != nil }
    }
}

extension AppointmentDocument {
    /// Returns what differs from an earlier version; of the first version, nothing.
    fileprivate func changes(from before: AppointmentDocument?, _ view: PracticeView) -> [ShownChange] {
        guard let before else { return [] }
        func shown(_ appointment: AppointmentDocument) -> [(String, String?)] {
            let details = appointment.details
            return [
                ("status", view.words["appointmentStatus.\(appointment.status.rawValue)"]),
                ("when", view.moment(of: details)), ("service", view.service(of: details)),
                ("withWhom", view.specialists(of: details)), ("room", view.places(details.places)),
                ("visitReason", details.reason), ("instructions", details.instructions),
                ("staffNotes", details.notes), ("remarks", appointment.notes.last?.text),
            ]
        }
        return zip(shown(before), shown(self))
            .compactMap { old, new in
                func value(_ text: String?) -> String? { text.flatMap { $0.isEmpty ? nil : $0 } }
                guard value(old.1) != value(new.1) else { return nil }
                return ShownChange(view.words[new.0], before: value(old.1), after: value(new.1))
            }
    }
}

extension ShownChange {
    fileprivate init(_ label: String, before: String?, after: String?) {
        self.label = label
        self.before = before
        self.after = after
    }
}
