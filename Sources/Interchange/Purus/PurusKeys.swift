import HealthModel

/// The keys of one kind of entry, or of a profile, in the shapes in which Purus Health writes them.
struct PurusKeys: Sendable {
    /// The keys of the CloudKit shape, in its order; an export always writes them.
    let own: [PurusKey]
    /// Keys of the models shape, and one for each field that Purus does not have, so that an export is complete.
    let further: [PurusKey]
    let fields: [Field]

    /// All keys by name, the CloudKit shape's first where both shapes use one name.
    let byName: [String: PurusKey]

    /// Adds keys for the fields that the given keys do not cover, under the fields' own names.
    init(own: [PurusKey], further: [PurusKey] = [], fields: [Field]) {
        let reached = Set((own + further).flatMap { Self.paths($0.slot) })
        let rest = fields.filter { field in
            !reached.contains { $0 == field.name || $0.hasPrefix(field.name + ".") }
        }
        self.own = own
        self.further = further + rest.map { PurusKey($0.name, .field($0.name)) }
        self.fields = fields
        byName = Dictionary((self.own + self.further).map { ($0.name, $0) }) { first, _ in first }
    }

    /// The fields that a slot fills.
    static func paths(_ slot: PurusKey.Slot) -> [String] {
        switch slot {
        case .field(let path): [path]
        case .sex: [RecordProfile.sex.name]
        case .birthdate: [RecordProfile.birthdate.name]
        case .kilograms: [Weight.value.name, Weight.unit.name]
        case .weightUnit: [Weight.unit.name]
        case .itemAmount, .totalAmount: [Cost.amount.name, Cost.basis.name]
        case .costBasis: [Cost.basis.name]
        case .attachment: [Document.content.name, Document.missing.name]
        case .date, .datePrecision: ["date"]
        case .comment: ["comment"]
        case .voiceEntryUsed: ["voiceEntryUsed"]
        case .isPet: ["subject"]
        }
    }
}

/// The times at which the source's app created and last changed its copy.
enum PurusStamps {
    static let created = "createdAt"
    static let updated = "updatedAt"
    static let names: Set<String> = [created, updated]
}
