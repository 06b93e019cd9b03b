package import HealthModel
internal import JournalCore

/// The selection of events for a feed.
package struct FeedQuery: Hashable, Sendable {
    /// The maximum number of events in one page.
    package static let maximumLimit = 1_000

    /// The name of a stream of other tools, or the id of a record, an entry or an account; nil for all streams.
    package var stream: String?
    /// The types of the events; nil for all types except those of the category `access`.
    package var types: Set<EventType>?
    package var limit: Int

    package init(stream: String? = nil, types: Set<EventType>? = nil, limit: Int = 100) {
        self.stream = stream
        self.types = types
        self.limit = limit
    }

    /// Parses names of event types that are separated by commas; `appointment.*` selects all names with this prefix.
    package static func types(named text: String) throws(ModelError) -> Set<EventType> {
        var types: Set<EventType> = []
        for name in text.split(separator: ",", omittingEmptySubsequences: false) {
            if name.hasSuffix(".*") {
                let selected = EventType.allCases.filter { $0.name.hasPrefix(name.dropLast()) }
                types.formUnion(selected)
                if !selected.isEmpty { continue }
            }
            guard let type = EventType(named: String(name)) else {
                let names = EventType.allCases.map(\.name).joined(separator: ", ")
                throw ModelError(.invalid, field: "type", "there is no such type of event; the types are \(names)")
            }
            types.insert(type)
        }
        return types
    }

    /// Reports whether events of a type are selected.
    ///
    /// Events of the category `access`, such as reads of records, are selected only if their type is named: each page
    /// of a feed appends one.
    func asks(for type: EventType) -> Bool { types?.contains(type) ?? (type.category != .access) }

    package func validate() throws(ModelError) {
        guard (1...FeedQuery.maximumLimit).contains(limit) else {
            throw ModelError(.invalid, field: "limit", "must be between 1 and \(FeedQuery.maximumLimit)")
        }
    }
}
