extension Kind {
    /// Before the kind's name in the type of an event of another tool that becomes an entry.
    private static let typePrefix = "org.healthjournal."
    /// Behind it.
    private static let typeSuffix = ".logged"

    /// The type of event by which another tool adds an entry of the kind, such as `org.healthjournal.weight.logged`.
    package var eventType: String { Kind.typePrefix + name + Kind.typeSuffix }

    /// The kind of entry that an event of a type becomes; nil for one that is kept as it came.
    package static func ofEvent(type: String) -> Kind? {
        guard type.hasPrefix(typePrefix), type.hasSuffix(typeSuffix) else { return nil }
        return named(String(type.dropFirst(typePrefix.count).dropLast(typeSuffix.count)))
    }
}
