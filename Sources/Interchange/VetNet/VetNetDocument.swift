package import FoundationEssentials
package import HealthModel

/// A practice of a document of VetNet, with everything that belongs to it.
package struct VetNetPractice: Hashable, Sendable {
    package var id: UUID
    package var profile: PracticeProfile
    /// When it is open, from some days on; none if the document does not say.
    package var timetables: [TimetableDocument] = []
    package var specialists: [VetNetSpecialist] = []
    package var clients: [VetNetClient] = []
    package var patients: [VetNetPatient] = []
    package var appointments: [VetNetAppointment] = []
    package var assessments: [VetNetAssessment] = []
    /// Paths of members that the journal has no fields for, and keeps as they came; never their values.
    package var unrepresented: [String] = []
    /// The members as they came, without the parts.
    package var source: [JSONValue.Member] = []

    package init(id: UUID, profile: PracticeProfile) {
        (self.id, self.profile) = (id, profile)
    }
}

package struct VetNetSpecialist: Hashable, Sendable {
    package var id: UUID
    package var profile: SpecialistProfile
    /// The hours from some days on.
    package var hours: [HoursDocument]
    package var absences: [AbsenceDocument]
    package var isActive: Bool
    package var path: String
    package var source: [JSONValue.Member]
}

/// A client, which VetNet calls an owner.
package struct VetNetClient: Hashable, Sendable {
    package var id: UUID
    package var profile: ClientProfile
    package var isActive: Bool
    package var path: String
    package var source: [JSONValue.Member]
}

package struct VetNetPatient: Hashable, Sendable {
    /// The record with the entries of the medical history.
    package var record: ImportedRecord
    package var client: UUID?
    package var isActive: Bool
    package var path: String
    /// The members as they came, without the items of the medical history and what else is a part of its own.
    package var source: [JSONValue.Member]
}

package struct VetNetAppointment: Hashable, Sendable {
    package var id: UUID
    package var patient: UUID
    package var specialist: UUID?
    /// An assessment of the same patient in the same document.
    package var assessment: UUID?
    package var start: Instant
    package var minutes: Int
    package var status: AppointmentStatus
    package var type: AppointmentType
    package var reason: String
    package var notes: String
    package var remarks: [String]
    package var path: String
    package var source: [JSONValue.Member]
}

/// A triage assessment whose level a person chose: it was computed by no rules of this journal.
package struct VetNetAssessment: Hashable, Sendable {
    package var id: UUID
    package var patient: UUID
    package var appointment: UUID?
    package var at: Instant
    package var level: UrgencyLevel
    package var findings: TriageFindings
    /// The vital signs as entries of the record.
    package var entries: [ImportedEntry]
    /// The SHA-256 of the assessment as the document contains it.
    package var digest: String
    package var path: String
    package var source: [JSONValue.Member]
}

/// What a document of VetNet does not contain.
package struct VetNetOptions: Sendable {
    /// The epoch of times that are numbers: an app's JSONEncoder counts from 2001.
    package var epoch: PurusOptions.Epoch
    /// The time zone of practices that name none.
    package var zone: String?
    package var now: Instant
    /// Returns the day of an instant in a time zone.
    package var day: @Sendable (Instant, _ zone: String) -> Day
    /// Returns the namespace of the ids of a patient's entries.
    ///
    /// It must be a secret of the journal: ids are stored in plaintext, and are derived from what entries say.
    package var entries: @Sendable (_ patient: UUID) throws -> UUID

    package init(
        epoch: PurusOptions.Epoch = .reference,
        zone: String?,
        now: Instant,
        entries: @escaping @Sendable (_ patient: UUID) throws -> UUID,
        day: @escaping @Sendable (Instant, _ zone: String) -> Day
    ) {
        (self.epoch, self.zone, self.now, self.entries, self.day) = (epoch, zone, now, entries, day)
    }
}

/// Documents of VetNet: `{"practices": [{…}]}`, with the entities of each practice as its app encodes them.
package enum VetNetDocument {
    package static func read(_ bytes: [UInt8], options: VetNetOptions) throws(ModelError) -> [VetNetPractice] {
        let root = try JSONReader.read(bytes)
        var path = DocumentPath()
        var items: [JSONValue] = []
        switch root {
        case .array(let practices): items = practices
        case .object(let members):
            guard let practices = members.first(where: { $0.name == "practices" })?.value else {
                items = [root]
                break
            }
            path = path.appending("practices")
            guard case .array(let list) = practices else {
                throw ModelError(.invalid, field: path.field, "must be a list, not \(practices.typeName)")
            }
            items = list
        default: throw ModelError(.invalid, field: path.field, "must be an object, not \(root.typeName)")
        }
        var found: [VetNetPractice] = []
        for (index, item) in items.enumerated() {
            let place = root == item ? path : path.appending(index)
            var reader = VetNetReader(options)
            found.append(try reader.practice(try VetNetObject(item, at: place)))
        }
        return found
    }
}
