/// The type of an event, identified by the stable code in a frame's header.
package struct EventType: Hashable, Sendable {
    package let rawValue: UInt16

    /// The type that `EventData` declares with its code.
    init(code: UInt16) { rawValue = code }

    /// Creates the type with a code; nil if this program does not know it, because a newer one wrote it.
    package init?(rawValue: UInt16) {
        guard rawValue < EventType.byCode.count, EventType.byCode[Int(rawValue)] != nil else { return nil }
        self.rawValue = rawValue
    }

    /// Creates the type with a name such as `entry.added`, current or former; nil for an unknown name.
    package init?(named name: String) {
        guard let code = EventType.byName[name] else { return nil }
        rawValue = code
    }

    package var definition: EventDefinition {
        guard let definition = EventType.byCode[Int(rawValue)] else {
            preconditionFailure("a type without a definition")
        }
        return definition
    }

    package var name: String { definition.name }
    package var category: EventCategory { definition.category }
    package var label: String { definition.label }
    /// How events of the type change their entry; nil if they are not about an entry.
    package var entryEffect: EntryEffect? { definition.entryEffect }

    /// The schema version in which this program writes events of the type.
    package var schemaVersion: UInt16 { 1 }
}

extension EventType: CaseIterable {
    package static let allCases = data.map { $0.type }

    private static let byCode: [EventDefinition?] = {
        var definitions = [EventDefinition?](repeating: nil, count: Int(data.map { $0.type.rawValue }.max() ?? 0) + 1)
        for type in data { definitions[Int(type.type.rawValue)] = type.definition }
        return definitions
    }()

    private static let byName: [String: UInt16] = {
        var codes: [String: UInt16] = [:]
        for type in data {
            for name in [type.definition.name] + type.definition.formerNames { codes[name] = type.type.rawValue }
        }
        return codes
    }()
}
