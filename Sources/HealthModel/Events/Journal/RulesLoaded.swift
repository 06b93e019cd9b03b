/// A rule set for the check of interactions was loaded.
package struct RulesLoaded: LoadedFile {
    package var name: String
    package var version: String
    package var licence: String
    package var digest: String
    /// The number of rules.
    package var count: Int

    package init(name: String, version: String, licence: String, digest: String, count: Int) {
        self.name = name
        self.version = version
        self.licence = licence
        self.digest = digest
        self.count = count
    }

    package static var type: EventType { EventType(code: 6) }

    package static let definition = EventDefinition(
        "rules.loaded",
        .journal,
        "Rules loaded",
        RulesLoaded.init,
        EventField(1, "name", \.name),
        EventField(2, "version", \.version),
        EventField(3, "licence", \.licence),
        EventField(4, "digest", \.digest, .json),
        EventField(5, "count", \.count)
    )

    package var summary: EventSummary { "\(count) rules about interactions: \(name) \(version)" }
}

extension JournalEvent {
    package static func rulesLoaded(_ rules: RulesLoaded) -> JournalEvent { JournalEvent(rules) }
}
