package import HealthModel

/// A key of the parameter `_sort` (https://hl7.org/fhir/R4/search.html#sort): the name of a search parameter, with a minus sign
/// for descending.
///
/// Resources without a value come last either way.
package struct FHIRSortKey: Sendable {
    private enum Source: Sendable {
        case date, birthdate, lastUpdated, id
        case element(FHIRElementParameter)
    }

    /// What is compared; all values of a key are of one case.
    package enum Value: Comparable, Sendable {
        case number(Int64)
        case text(String)
    }

    private let source: Source
    private let isDescending: Bool

    /// Reads a key of a search for a type, nil for all types; nil for one that is unknown.
    init?(_ text: Substring, of type: String?) {
        isDescending = text.hasPrefix("-")
        let name = String(isDescending ? text.dropFirst() : text)
        switch name {
        case "_id": source = .id
        case "birthdate" where type == "Patient": source = .birthdate
        // When a Patient changed is not for all who may read it.
        case "_lastUpdated" where type != "Patient": source = .lastUpdated
        case "date" where type != "Patient": source = .date
        default:
            // What the journal itself knows is in the order of its events.
            guard type.map({ FHIRTrail.types[$0] == nil }) ?? true, let element = FHIRElementParameter.of(name, type)
            else { return nil }
            source = .element(element)
        }
    }

    /// Whether the resource is needed, and not only its entry.
    var looksAtElements: Bool { if case .element = source { true } else { false } }

    /// What is compared of an entry and its resource, which is needed if the key looks at elements.
    package func value(of entry: EntryState, _ resource: JSONValue?) -> Value? {
        switch source {
        case .id: .text(entry.id.text)
        case .lastUpdated: .number(entry.latest.recordedAt.microseconds)
        case .date: Self.start(of: entry.content).map { .number($0) }
        case .birthdate: nil
        case .element(let element): resource.flatMap { value(of: $0, element) }
        }
    }

    /// What is compared of a Patient.
    package func value(of record: RecordState, patient: JSONValue) -> Value? {
        switch source {
        case .id: .text(record.id.text)
        case .birthdate:
            record.profile.values.partialDate(RecordProfile.birthdate)
                .map { .number(FHIRDateCondition.span(of: .date($0)).from) }
        case .element(let element): value(of: patient, element)
        case .lastUpdated, .date: nil
        }
    }

    private static func start(of content: EntryContent) -> Int64? {
        content.instant?.microseconds
            ?? content.date.map { Int64($0.day.daysSince1970) * Instant.microsecondsPerDay }
    }

    /// Of several values of a resource, the one that comes first in the order counts.
    private func value(of resource: JSONValue, _ element: FHIRElementParameter) -> Value? {
        let values: [Value]
        switch element {
        case .date(let name):
            values = FHIRDateCondition.span(of: resource, name).map { [.number($0.from)] } ?? []
        case .token(let names):
            values = names.compactMap { resource[$0] }.flatMap(FHIRToken.codes).map { .text($0) }
        case .name(let parts):
            guard case .array(let written)? = resource["name"] else { return nil }
            values = written.flatMap { name in parts.flatMap { name[$0]?.texts ?? [] } }
                .map { .text(FoldedName($0).text) }
        }
        return isDescending ? values.max() : values.min()
    }

    /// Whether a list of values of keys comes before another one; nil if they are equal.
    package static func precedes(_ first: [Value?], _ second: [Value?], by keys: [FHIRSortKey]) -> Bool? {
        for (key, (first, second)) in zip(keys, zip(first, second)) where first != second {
            guard let first else { return false }
            guard let second else { return true }
            return key.isDescending ? first > second : first < second
        }
        return nil
    }
}
