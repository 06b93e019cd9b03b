/// The clocks by which the rules of a record's plans are read.
package struct CareClocks: Sendable {
    package let person: PersonClock
    private let zones: [String: PersonClock]

    /// Creates the clock of a person, and those of the zones that rules name.
    ///
    /// Throws an error if the table does not contain a zone.
    package init(_ history: ZoneHistory, rules: some Sequence<PlanRule>, _ table: ZoneTable) throws(ModelError) {
        person = try PersonClock(history, table)
        var zones: [String: PersonClock] = [:]
        for zone in CareClocks.zones(of: rules) { zones[zone] = try PersonClock(ZoneHistory(home: zone), table) }
        self.zones = zones
    }

    /// Returns the zones that rules name.
    package static func zones(of rules: some Sequence<PlanRule>) -> Set<String> {
        Set(rules.compactMap { rule in if case .zone(let name) = rule.clock { name } else { nil } })
    }

    package func clock(of rule: PlanRule) -> PersonClock {
        if case .zone(let name) = rule.clock, let clock = zones[name] { clock } else { person }
    }
}

extension ZoneHistory {
    /// The names of all its zones.
    package var zones: Set<String> { Set(changes.map(\.zone)).union([home]) }
}
