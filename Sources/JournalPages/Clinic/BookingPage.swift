package import FoundationEssentials
package import HealthModel
package import Interchange

/// The page that offers the services of a practice for an animal, and the free times of the chosen one.
package struct BookingPage: WebPage {
    package static let template = Template("booking")

    package let booking: BookingHead
    package let services: [Choice]
    package let hasServices: Bool
    /// Switches between usual appointments and emergencies; nil for those who may not book one.
    package let emergency: Choice?
    /// Whether a service is chosen, and its free times are shown.
    package let isChosen: Bool
    package let period: String
    /// How long the appointment is and why, if it is longer than the service usually is.
    package let lengthened: String?
    package let days: [FreeDay]
    /// Why there is no free time.
    package let why: String?
    package let earlierAddress: String?
    package let laterAddress: String?

    package struct Choice: Sendable {
        package let address: String
        package let label: String
        package let isCurrent: Bool
    }

    /// The free times of one day.
    package struct FreeDay: Sendable {
        package let label: String
        package let specialists: [FreeSpecialist]
    }

    /// The free times of one specialist on one day.
    package struct FreeSpecialist: Sendable {
        package let name: String
        package let times: [FreeTime]
    }

    package struct FreeTime: Sendable {
        package let address: String
        package let text: String
        package let label: String
    }

    /// How many days are searched for free times.
    package static let days = 14
    /// How many days with free times the page shows.
    private static let shownDays = 3

    /// `slots` is nil before a service is chosen.
    package init(
        _ booking: BookingHead,
        services: [(id: UUID, profile: ServiceProfile)],
        chosen service: UUID?,
        kind: BookedKind = BookedKind(),
        _ slots: FreeSlotsDocument?,
        from first: Day,
        today: Day,
        _ view: PracticeView
    ) {
        let words = view.words
        self.booking = booking
        func address(_ more: String, isEmergency: Bool = kind.isEmergency) -> String {
            "\(view.address)/book?\(booking.query)\(more)\(isEmergency ? BookedKind.query : "")"
        }
        self.services = services.map { id, profile in
            Choice(
                address: address("&service=\(id.text)"),
                label: words["serviceMinutes", profile.name, view.reader.duration(profile.minutes)],
                isCurrent: id == service
            )
        }
        hasServices = !services.isEmpty
        isChosen = slots != nil
        var found = Dictionary(grouping: slots?.slots ?? []) { $0.wall.day }.sorted { $0.key < $1.key }
        // If not all free times were read, those of the last day are not complete.
        let isCut = (slots?.slots.count ?? 0) >= SlotQuestion.maximumSlots && found.count > 1
        if isCut { found.removeLast() }
        let hasMore = isCut || found.count > BookingPage.shownDays
        let shown = found.prefix(BookingPage.shownDays)
        let next = (hasMore ? shown.last?.key.adding(days: 1) : nil) ?? first.adding(days: BookingPage.days)
        period = words["freeTimes", view.reader.day(first), view.reader.day(next.adding(days: -1))]
        lengthened = slots.flatMap { view.lengthened($0.minutes, $0.lengthened) }
        let ending = service.map { "&service=\($0.text)" } ?? ""
        emergency =
            kind.mayBeEmergency
            ? Choice(
                address: address(ending, isEmergency: !kind.isEmergency),
                label: words["bookEmergency"],
                isCurrent: kind.isEmergency
            ) : nil
        earlierAddress =
            first > today ? address("\(ending)&from=\(max(today, first.adding(days: -BookingPage.shownDays)))") : nil
        laterAddress = address("\(ending)&from=\(next)")
        why = slots?.why.map { words["noSlot.\($0.rawValue)"] }
        days =
            shown
            .map { day, slots in
                let specialists = Dictionary(grouping: slots, by: \.specialist)
                    .sorted {
                        ($0.value[0].specialistName.lowercased(), $0.key.text) < (
                            $1.value[0].specialistName.lowercased(), $1.key.text
                        )
                    }
                return FreeDay(
                    label: view.day(day),
                    specialists: specialists.map { _, slots in
                        FreeSpecialist(
                            name: slots[0].specialistName,
                            times: slots.map { slot in
                                let plain = view.time(slot.start)
                                let time = slot.isOnCall ? words["timeOnCall", plain] : plain
                                return FreeTime(
                                    address: address("\(ending)&slot=\(SlotChoice(slot).text)"),
                                    text: time,
                                    label: words["slotOf", view.day(day), time, slot.specialistName]
                                )
                            }
                        )
                    }
                )
            }
    }
}

/// Whether an emergency is booked, whatever the service is, and whether the reader may do that.
package struct BookedKind: Hashable, Sendable {
    package var isEmergency: Bool
    package var mayBeEmergency: Bool

    package init(isEmergency: Bool = false, mayBeEmergency: Bool = false) {
        (self.isEmergency, self.mayBeEmergency) = (isEmergency, mayBeEmergency)
    }

    /// How long an emergency without a service is.
    package static let minutes = 30
    /// The part of an address that says so.
    static let query = "&type=emergency"
}

/// For whom an appointment is booked or moved, at the top of the pages that do it.
package struct BookingHead: Sendable {
    package let heading: String
    package let practice: String
    package let zoneText: String
    package let patient: String
    /// The appointment that is moved, in words; nil for a new one.
    package let moved: String?
    /// The triage from which the appointment is booked; nil if it is booked from none.
    package let triage: Triage?
    /// Where the reader comes from.
    package let backAddress: String
    package let backLabel: String
    /// The part of an address that names the animal, the appointment that is moved, and the triage.
    package let query: String

    /// A triage from which an appointment is booked, with its level.
    package struct Triage: Sendable {
        package let id: String
        package let address: String
        package let badge: LevelBadge
    }

    package init(
        record: UUID,
        patient: String,
        moving appointment: AppointmentDocument?,
        from triage: TriageDocument? = nil,
        isMember: Bool,
        _ view: PracticeView
    ) {
        let words = view.words
        heading = words[appointment == nil ? "bookHeading" : "moveHeading"]
        practice = view.practice.profile.name
        zoneText = view.zoneText
        self.patient = patient
        moved = appointment.map {
            words[
                "movedFrom",
                view.service(of: $0.details),
                view.moment(of: $0.details),
                view.specialists(of: $0.details)
            ]
        }
        self.triage = triage.map {
            Triage(id: $0.id.text, address: "/triage/\($0.id.text)", badge: LevelBadge($0.level, words))
        }
        if let appointment {
            (backAddress, backLabel) = ("/appointments/\(appointment.id.text)", words["backToAppointment"])
        } else if let triage {
            (backAddress, backLabel) = ("/triage/\(triage.id.text)", words["backToTriage"])
        } else if isMember {
            (backAddress, backLabel) = ("\(view.address)/patients", words["practiceTab.patients"])
        } else {
            (backAddress, backLabel) = ("/records/\(record.text)/appointments", words["tab.appointments"])
        }
        query =
            "record=\(record.text)" + (appointment.map { "&moving=\($0.id.text)" } ?? "")
            + (triage.map { "&assessment=\($0.id.text)" } ?? "")
    }
}

/// A free time, as a form and an address name it: the start, the specialist and the room.
package struct SlotChoice: Hashable, Sendable {
    package let start: Instant
    package let specialist: UUID
    package let place: UUID?

    package init(_ slot: FreeSlotDocument) {
        (start, specialist, place) = (slot.start, slot.specialist, slot.place)
    }

    /// Parses the text; nil if it names no time.
    package init?(parsing text: String) {
        let parts = text.split(separator: "~", omittingEmptySubsequences: false).map(String.init)
        guard (2...3).contains(parts.count), let start = try? Instant(parsing: parts[0]),
            let specialist = UUID(uuidString: parts[1])
        else { return nil }
        if parts.count == 3 {
            guard let place = UUID(uuidString: parts[2]) else { return nil }
            self.place = place
        } else {
            place = nil
        }
        (self.start, self.specialist) = (start, specialist)
    }

    package var text: String {
        ([start.description, specialist.text] + (place.map { [$0.text] } ?? [])).joined(separator: "~")
    }
}
