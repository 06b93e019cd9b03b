import FoundationEssentials
import HealthModel

/// Writes a practice as a Bundle of FHIR R4: who works there and when, its patients, appointments and triages.
///
/// What FHIR has no element for, such as the versions of an appointment, is left out.
package struct PracticeFHIRWriter {
    let contents: PracticeContents
    let patients: [UUID: PatientDocument]
    let clients: [UUID: ClientDocument]
    let appointments: [UUID: AppointmentDocument]
    private let names: [UUID: String]
    private let services: [UUID: PartDocument<ServiceProfile>]
    var bundle = FHIRBundle()

    private init(_ contents: PracticeContents) {
        func indexed<Item>(_ items: [Item], _ id: (Item) -> UUID) -> [UUID: Item] {
            Dictionary(items.map { (id($0), $0) }) { first, _ in first }
        }
        self.contents = contents
        patients = indexed(contents.patients, \.record)
        clients = indexed(contents.clients, \.id)
        appointments = indexed(contents.appointments, \.id)
        services = indexed(contents.practice.services, \.id)
        names = indexed(contents.specialists, \.id).mapValues(\.profile.name)
            .merging(indexed(contents.practice.places, \.id).mapValues(\.profile.name)) { first, _ in first }
    }

    package static func json(_ contents: PracticeContents) -> JSONValue {
        var writer = PracticeFHIRWriter(contents)
        writer.addDirectory()
        writer.addPeople()
        writer.addCalendar()
        writer.addTriages()
        return writer.bundle.collection
    }

    var practice: PracticeDocument { contents.practice }

    /// The id of a resource that is derived from something with an id of its own.
    static func derived(_ id: UUID, _ name: String) -> UUID { UUID(nameBased: id, "fhir/\(name)") }

    /// The location of the practice; the rooms are parts of it.
    var site: UUID { Self.derived(practice.id, "Location") }

    func schedule(of resource: UUID) -> UUID { Self.derived(resource, "Schedule") }

    /// The client as a person who brings a patient.
    func related(_ client: UUID, to record: UUID) -> UUID { Self.derived(client, "RelatedPerson/\(record.text)") }

    /// The name of a specialist or a room.
    func name(of id: UUID) -> String? { names[id] }

    func service(_ id: UUID?) -> PartDocument<ServiceProfile>? { id.flatMap { services[$0] } }

    /// Whether the bundle has a specialist or a room, so that others may refer to it.
    func isShownResource(_ id: UUID) -> Bool { names[id] != nil }

    /// Whether the bundle has a patient, so that others may refer to it.
    func isShown(_ record: UUID) -> Bool { patients[record] != nil }
}

extension WeeklyHours {
    /// The hours with the days on which they hold, as elements of FHIR whose names differ between resources.
    ///
    /// Hours that run on after midnight become two, because elements of FHIR end on the day on which they begin.
    func fhir(open: String, close: String) -> JSONValue? {
        var parts: [(minutes: Range<Int>, days: [Weekday])] = []
        func add(_ minutes: Range<Int>, on day: Weekday) {
            if minutes.isEmpty { return }
            if let index = parts.firstIndex(where: { $0.minutes == minutes }) {
                parts[index].days.append(day)
            } else {
                parts.append((minutes, [day]))
            }
        }
        for day in Weekday.allCases {
            for hours in self[day] {
                let end = hours.closingMinutes
                add(hours.open.minutes..<min(end, 1_440), on: day)
                let next = Weekday(rawValue: day.rawValue % 7 + 1) ?? day
                if end > 1_440 { add(0..<end - 1_440, on: next) }
            }
        }
        return .list(
            parts.map { minutes, days in
                let names: JSONValue = .array(days.map { .string($0.name) })
                if minutes == 0..<1_440 { return ["daysOfWeek": names, "allDay": true] }
                func time(_ minutes: Int) -> JSONValue {
                    // FHIR has no 24:00.
                    .string(WallTime(minutes: minutes).map { "\($0):00" } ?? "23:59:59")
                }
                return .object([
                    .init("daysOfWeek", names), .init(open, time(minutes.lowerBound)),
                    .init(close, time(minutes.upperBound)),
                ])
            }
        )
    }
}
