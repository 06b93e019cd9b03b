/// One key of a Purus document, and what of an entry or a profile it speaks of.
struct PurusKey: Sendable {
    enum Slot: Hashable, Sendable {
        /// A field by its path, as `owner.name`.
        case field(String)
        case date
        /// Present where the date is a day and no instant, which a number of seconds cannot say.
        case datePrecision
        case comment
        case voiceEntryUsed
        case isPet
        case sex
        /// An instant, of which the journal keeps the day.
        case birthdate
        /// A weight that is in kilograms by the name of its key.
        case kilograms
        case weightUnit
        /// An amount that is one thing of its year.
        case itemAmount
        /// An amount that is all of its year.
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
