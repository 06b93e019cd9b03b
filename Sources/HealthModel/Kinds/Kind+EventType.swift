extension Kind {
    /// The part before the kind's name in the type of an external event that becomes an entry.
    private static let typePrefix = "org.healthjournal."
    /// The part after the kind's name.
    private static let typeSuffix = ".logged"

    /// The type of event with which another tool adds an entry of the kind, such as `org.healthjournal.weight.logged`.
    package var eventType: String { Kind.typePrefix + name + Kind.typeSuffix }

    /// Returns the kind of entry that an event of a type becomes, or nil if such an event is stored as received.
    package static func ofEvent(type: String) -> Kind? {
        guard type.hasPrefix(typePrefix), type.hasSuffix(typeSuffix) else { return nil }
        return named(String(type.dropFirst(typePrefix.count).dropLast(typeSuffix.count)))
    }
}
