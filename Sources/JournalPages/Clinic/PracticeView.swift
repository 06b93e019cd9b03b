internal import Foundation
package import struct FoundationEssentials.UUID
package import HealthModel
internal import Interchange

/// What pages need to name the parts of a practice, and to show its times by its own clock.
package struct PracticeView: Sendable {
    package let practice: PracticeState
    package let clock: PersonClock
    package let specialists: [SpecialistState]
    /// The roles of the reader in the practice.
    package let roles: Set<ClinicRole>
    /// Formats moments in the zone of the practice.
    package let reader: Reader
    /// Formats moments in the reader's own zone.
    private let own: Reader

    /// `reader` formats moments in the reader's own zone, which the zone of the practice replaces.
    package init(
        _ practice: PracticeState,
        _ clock: PersonClock,
        specialists: [SpecialistState] = [],
        roles: Set<ClinicRole> = [],
        _ reader: Reader
    ) {
        self.practice = practice
        self.clock = clock
        self.specialists = specialists
        self.roles = roles
        own = reader
        self.reader = Reader(
            ReaderLanguage(reader.words, locale: reader.locale),
            zone: TimeZone(identifier: practice.profile.zone) ?? reader.zone,
            weightUnit: reader.weightUnit
        )
    }

    package var address: String { "/practices/\(practice.id.text)" }
    package var words: Words { reader.words }

    /// Whether the reader may see the triage board: who only manages the practice sees its numbers.
    var seesBoard: Bool { roles.contains { $0 != .manager } }

    /// The sentence that says by which clock all times of a page are.
    var zoneText: String { words["clockOf", practice.profile.zone.replacing("_", with: " ")] }

    /// Returns when a moment is by the reader's own clock; nil if that shows the same time as the practice's.
    func ownMoment(_ instant: Instant) -> String? {
        own.wallText(instant) == reader.wallText(instant) ? nil : words["byYourClock", own.moment(instant)]
    }

    /// Returns the name of a patient, for the staff with the client, which tells two of one name apart.
    func patient(_ name: String?, _ client: PatientClientDocument?) -> String {
        guard let name else { return words["patientUnknown"] }
        return client.map { words["patientOf", name, $0.name] } ?? name
    }

    /// Says when the next appointment of a record is, and for what; leads to its appointments.
    package func nextAppointment(_ details: AppointmentDetails, of record: UUID) -> TodayPage.Warning {
        let moment = "\(day(clock.day(at: details.start))) \(time(details.start))"
        return TodayPage.Warning(
            text: words["nextAppointment", moment, service(of: details), practice.profile.name],
            address: "/records/\(record.text)/appointments"
        )
    }

    /// Returns a day with the name of its weekday.
    package func day(_ day: Day) -> String {
        words["weekdayOf", words["weekday.\(day.weekday.rawValue)"], reader.day(day)]
    }

    /// Returns the time that the clock shows, with the offset from UTC if the clock shows it twice that day.
    package func time(_ instant: Instant) -> String {
        let wall = clock.wall(at: instant)
        let isTwice = clock.lastMoment(of: wall) != clock.moment(of: wall).instant
        return isTwice ? "\(wall.clock) (\(reader.offset(at: instant)))" : wall.clock
    }

    /// Returns a time from its start to its end, with the day where it is not `day`.
    package func times(_ span: TimeSpan, on day: Day) -> String {
        func time(_ instant: Instant) -> String {
            let other = clock.day(at: instant)
            let isMidnight = other == day.adding(days: 1) && clock.wall(at: instant).clock == "00:00"
            if isMidnight { return "24:00" }
            return other == day ? self.time(instant) : "\(reader.day(other)) \(self.time(instant))"
        }
        return "\(time(span.start))–\(time(span.end))"
    }

    /// Returns the day and the time of an appointment.
    package func moment(of details: AppointmentDetails) -> String {
        let day = clock.day(at: details.start)
        guard let span = details.span else { return self.day(day) }
        return words["dayAndTime", self.day(day), times(span, on: day)]
    }

    /// Returns how long an appointment is and why; nil if it is as long as its service usually is.
    package func lengthened(_ minutes: Int, _ reasons: [ServiceDuration.Reason]) -> String? {
        guard !reasons.isEmpty else { return nil }
        let texts = reasons.map { words["lengthened.\($0.rawValue)"] }
        return words["lengthened", reader.duration(minutes), texts.joined(separator: ", ")]
    }

    package func service(of details: AppointmentDetails) -> String {
        details.service.flatMap { practice.services[$0]?.profile.name }
            ?? words["appointmentType.\(details.type.rawValue)"]
    }

    package func specialist(_ id: UUID) -> String {
        specialists.first { $0.id == id }?.profile.name ?? words["unknownSpecialist"]
    }

    package func specialists(of details: AppointmentDetails) -> String {
        details.specialists.isEmpty ? words["onDuty"] : details.specialists.map(specialist).joined(separator: ", ")
    }

    /// Returns the names of rooms and devices; nil without any.
    package func places(_ ids: [UUID]) -> String? {
        let names = ids.compactMap { practice.places[$0]?.profile.name }
        return names.isEmpty ? nil : names.joined(separator: ", ")
    }
}

extension AppointmentStatus {
    /// A shape for the status, beside its word.
    package var symbol: String {
        switch self {
        case .held: "◌"
        case .scheduled: "○"
        case .confirmed: "●"
        case .inProgress: "◐"
        case .completed: "✓"
        case .cancelled: "✕"
        case .noShow: "–"
        }
    }
}
