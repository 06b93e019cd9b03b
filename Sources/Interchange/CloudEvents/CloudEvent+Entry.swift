package import FoundationEssentials
package import HealthModel

extension CloudEvent {
    /// The kind of entry that the event becomes; nil if the event is stored as received.
    package var kind: Kind? { Kind.ofEvent(type: type) }

    /// The record of an event of a known type.
    package func record() throws(ModelError) -> UUID {
        guard let record = subject.flatMap(UUID.init(uuidString:)) else {
            throw ModelError(.invalid, field: "subject", "must be the id of the record")
        }
        return record
    }

    /// Returns the content of the entry that the event adds.
    ///
    /// The event's `time` becomes the entry's date, unless the data has a date of its own. `planNamed` returns the id of
    /// the medication or supplement with a name, which may be given in place of the id.
    package func entry(
        of kind: Kind,
        now: Instant,
        planNamed: (String) throws -> UUID = { _ in throw ModelError(.invalid, field: "data.of", "must be an id") }
    ) throws -> EntryContent {
        let data = try json()
        guard case .object(var members) = data else { return try content(data, kind, now) }
        let isTimed = !members.contains { $0.name == "date" && $0.value != .null && $0.value != "" }
        if isTimed, let time {
            members.removeAll { $0.name == "date" }
            members.append(.init("date", .time(time)))
        }
        if [Dose.kind, Supply.kind].contains(kind), let index = members.firstIndex(where: { $0.name == Dose.of.name }),
            case .string(let name) = members[index].value, UUID(uuidString: name) == nil
        {
            members[index].value = .string(try planNamed(name).text)
        }
        do throws(ModelError) {
            return try content(.object(members), kind, now)
        } catch {
            guard isTimed, time != nil, error.field == "data.date" else { throw error }
            throw ModelError(error.code, field: "time", error.text)
        }
    }

    private func content(_ data: JSONValue, _ kind: Kind, _ now: Instant) throws(ModelError) -> EntryContent {
        try NativeDocument.content(ofEvent: data, kind: kind, at: DocumentPath("data"), now: now)
    }

    func json() throws(ModelError) -> JSONValue {
        switch data {
        case .json(let value): return value
        case .binary(let bytes):
            // Over HTTP, JSON data without a declared media type arrives as bytes.
            guard datacontenttype.map(CloudEvent.isJSON) ?? true else {
                throw ModelError(
                    .invalid,
                    field: "datacontenttype",
                    "must be application/json for an event of this type"
                )
            }
            return try JSONReader.read(bytes, at: DocumentPath("data"), maximumBytes: CloudEvent.maximumBytes)
        case nil: throw ModelError(.invalid, field: "data", "is missing")
        }
    }

    static func isJSON(_ type: String) -> Bool {
        let essence = type.prefix { $0 != ";" && $0 != " " }.lowercased()
        return essence == "application/json" || essence.hasSuffix("+json")
    }
}
