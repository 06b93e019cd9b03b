package import HealthModel

/// Which events are asked for.
package struct FeedQuery: Hashable, Sendable {
    /// Events of one page at most.
    package static let maximumLimit = 1_000

    /// The name of a stream of other tools, or the id of a record, an entry or an account; nil for all streams.
    package var stream: String?
    /// Nil for all types but looks at records.
    package var types: Set<EventType>?
    package var limit: Int

    package init(stream: String? = nil, types: Set<EventType>? = nil, limit: Int = 100) {
        self.stream = stream
        self.types = types
        self.limit = limit
    }

    /// Reads names of types with commas between.
    package static func types(named text: String) throws(ModelError) -> Set<EventType> {
        var types: Set<EventType> = []
        for name in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let type = EventType(named: String(name)) else {
                let names = EventType.allCases.map(\.name).joined(separator: ", ")
                throw ModelError(.invalid, field: "type", "there is no such type of event; the types are \(names)")
            }
            types.insert(type)
        }
        return types
    }

    /// Whether events of a type are asked for.
    ///
    /// Looks at records are left out unless they are asked for: each page of a feed adds one.
    func asks(for type: EventType) -> Bool { types?.contains(type) ?? (type.category != .access) }

    func validate() throws(ModelError) {
        guard (1...FeedQuery.maximumLimit).contains(limit) else {
            throw ModelError(.invalid, field: "limit", "must lie between 1 and \(FeedQuery.maximumLimit)")
        }
    }
}
