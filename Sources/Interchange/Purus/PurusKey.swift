/// A key of a Purus document, and the part of an entry or a profile that it represents.
struct PurusKey: Sendable {
    enum Slot: Hashable, Sendable {
        /// A field by its path, such as `owner.name`.
        case field(String)
        case date
        /// Present if the date is a day and not an instant, which a number of seconds cannot express.
        case datePrecision
        case comment
        case voiceEntryUsed
        case isPet
        case sex
        /// An instant; the journal stores its day.
        case birthdate
        /// A weight in kilograms, as the name of its key states.
        case kilograms
        case weightUnit
        /// The amount of one item in a year.
        case itemAmount
        /// The total amount of a year.
        case totalAmount
        case costBasis
        /// The bytes of a document, in base64.
        case attachment
    }

    let name: String
    let slot: Slot

    init(_ name: String, _ slot: Slot) {
        self.name = name
        self.slot = slot
    }

    init(_ name: String, _ path: String) {
        self.init(name, .field(path))
    }
}
