package import HealthModel

extension CloudEvent {
    /// The prefix of the types that this project defines; no one else may use it.
    private static let ownPrefix = "org.healthjournal."

    /// The type of the message that tests a channel of reminders.
    package static let reminderTest = "reminder.test"

    /// Returns the type of a message that the journal sends, such as `org.healthjournal.dose.due`.
    package static func ownType(_ name: String) -> String { ownPrefix + name }

    /// The types of this project: those that the journal reads, and those of the messages that it sends.
    private static let ownTypes =
        Kind.all.map(\.eventType) + ClinicEvent.allCases.map(\.rawValue)
        + (ReminderCause.allCases.map(\.name) + [reminderTest]).map(ownType)

    /// Throws if the type is probably meant to be one of this project's and is not spelt like any of them.
    ///
    /// Events of other types are stored as received. A mistyped one would be stored as well, and the measurement that it
    /// contains would be missing from the record without a word.
    package func requireKnownType() throws(ModelError) {
        guard !Self.ownTypes.contains(type) else { return }
        let typed = type.lowercased().split(whereSeparator: \.isWhitespace).joined()
        let similar = Spelling.nearest(to: typed, among: Self.ownTypes)
        let isOwn = (typed + ".").hasPrefix(Self.ownPrefix)
        guard isOwn || similar != nil else { return }
        let advice =
            if let meant = similar ?? Self.typeOfKind(in: typed) {
                "did you mean \(meant)?"
            } else {
                "use one such as \(Weight.kind.eventType), or a type that does not begin with \(Self.ownPrefix)"
            }
        throw ModelError(.invalid, field: "type", "this journal has no such type of event; \(advice)")
    }

    /// Returns the type whose kind, or whose name without the last part, a text contains.
    private static func typeOfKind(in typed: String) -> String? {
        let names = Dictionary(
            ownTypes.map { type in (type.dropFirst(ownPrefix.count).prefix { $0 != "." }.lowercased(), type) },
            uniquingKeysWith: { first, _ in first }
        )
        let typed = typed.dropFirst(ownPrefix.count).split(separator: ".").first.map(String.init) ?? ""
        return (names[typed] == nil ? Spelling.nearest(to: typed, among: names.keys.sorted()) : typed)
            .flatMap { names[$0] }
    }
}
