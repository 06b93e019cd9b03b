/// A list of names of medication was loaded.
package struct NamesLoaded: LoadedFile {
    package var name: String
    /// Empty if the source has none.
    package var version: String
    package var digest: String
    /// The number of names, without their synonyms.
    package var count: Int

    package init(name: String, version: String, digest: String, count: Int) {
        self.name = name
        self.version = version
        self.digest = digest
        self.count = count
    }

    package static var type: EventType { EventType(code: 7) }

    package static let definition = EventDefinition(
        "names.loaded",
        .journal,
        "Names loaded",
        NamesLoaded.init,
        EventField(1, "name", \.name),
        EventField(2, "version", \.version),
        EventField(3, "digest", \.digest, .json),
        EventField(4, "count", \.count)
    )

    package var summary: EventSummary { "\(count) names of medication: \(name) \(version)" }
}

extension JournalEvent {
    package static func namesLoaded(_ names: NamesLoaded) -> JournalEvent { JournalEvent(names) }
}
