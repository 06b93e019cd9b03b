package import FoundationEssentials
package import HealthModel

/// A search for resources of a record, with the parameters of FHIR (https://hl7.org/fhir/R4/search.html) that it supports.
///
/// An unsupported parameter that filters is an error, because ignoring it would widen the answer. Parameters that only change
/// the form of an answer are ignored; the link `self` of the answer lists those that were used.
package struct FHIRSearch: Sendable {
    /// A parameter of the query.
    package typealias Parameter = (name: String, value: String)

    /// A parameter that is not supported, or a value that cannot be read.
    package struct Fault: Error, Sendable {
        package let parameter: String
        package let message: String
        package let isUnsupported: Bool

        init(_ parameter: String, _ message: String, isUnsupported: Bool = false) {
            // Shortened, because it comes from the client.
            (self.parameter, self.message) = (String(parameter.prefix(40)), message)
            self.isUnsupported = isUnsupported
        }
    }

    /// Where a page begins.
    package enum Cursor: Hashable, Sendable {
        /// After the entry of a kind that was added at a position.
        case after(kind: UInt16, added: UInt64)
        /// After a number of entries, in a sorted search.
        case offset(Int)
        /// After the event at a position, up to the last event when the first page was read.
        case trail(after: UInt64, through: UInt64)
    }

    package enum Order: Sendable {
        case asAdded
        case byDate(descending: Bool)
    }

    /// The types that are wanted; nil for all.
    package var types: Set<String>?
    package private(set) var patient: UUID?
    package private(set) var ids: Set<UUID>?
    /// The entry whose Provenance is requested, and perhaps one of its versions.
    package private(set) var target: (type: String, entry: UUID, version: UInt64?)?
    package private(set) var order = Order.asAdded
    /// The number of resources on a page.
    package private(set) var count = FHIRSearch.usualCount
    /// Whether all matches are counted, which needs a look at each entry.
    package private(set) var wantsTotal = false
    package private(set) var cursor: Cursor?
    /// The parameters that were used, without that of the page.
    package private(set) var used: [Parameter] = []

    /// Each list has the conditions of one parameter, one of which must hold.
    private var happened: [[FHIRDateCondition]] = []
    private var updated: [[FHIRDateCondition]] = []
    private var tokens: [(elements: [String], values: [FHIRToken])] = []
    private var names: [(parts: [String], values: [FoldedName])] = []

    package static let usualCount = 50
    package static let maximumCount = 1_000
    static let pageParameter = "_page"

    /// The elements that each token parameter looks at.
    private static let tokenElements: [String: [String]] = [
        "code": ["code", "vaccineCode", "medicationCodeableConcept"], "vaccine-code": ["vaccineCode"],
        "category": ["category"], "status": ["status"], "type": ["type"], "clinical-status": ["clinicalStatus"],
        "identifier": ["identifier"], "gender": ["gender"],
    ]
    private static let nameParts: [String: [String]] = [
        "name": ["text", "family", "given"], "family": ["family"], "given": ["given"],
    ]
    /// The names of the parameters, for the description of the service.
    static let parameters =
        ["_id", "_lastUpdated", "patient", "subject", "date"] + tokenElements.keys.filter { $0 != "gender" }.sorted()
    static let patientParameters = ["_id", "identifier", "name", "family", "given", "gender", "birthdate"]

    /// Reads the parameters of a search for a type; nil for all types.
    package init(of type: String?, _ parameters: [Parameter]) throws(Fault) {
        types = type.map { [$0] }
        for parameter in parameters {
            if try take(parameter, type) {
                if parameter.name != Self.pageParameter { used.append(parameter) }
            } else if !Self.ignored.contains(parameter.name) {
                throw Fault(parameter.name, "is not a parameter of this search", isUnsupported: true)
            }
        }
        // Whatever the order of the parameters.
        if parameters.contains(where: { $0.name == "_summary" && $0.value == "count" }) {
            (count, wantsTotal) = (0, true)
        }
        if case .offset? = cursor, case .asAdded = order, type != "Patient" {
            throw Fault(Self.pageParameter, "is not of this search")
        }
        if case .after? = cursor, case .byDate = order { throw Fault(Self.pageParameter, "is not of this search") }
    }

    /// Parameters that change the form of an answer and not what it contains, and are ignored.
    private static let ignored: Set = [
        "_include", "_revinclude", "_include:iterate", "_revinclude:iterate", "_elements", "_summary", "_pretty",
        "_contained", "_containedType", "_total", "_totalMethod", "_score", "_format",
    ]
    /// The parameters of the types of ``FHIRTrail``.
    private static let trailParameters: [String: Set<String>] = [
        "AuditEvent": ["patient", "date", "_lastUpdated", "_count", pageParameter],
        "Consent": ["patient", "status", "_count"], "Provenance": ["target", "_count"],
    ]

    /// Takes a parameter; false for one that is unknown.
    private mutating func take(_ parameter: Parameter, _ type: String?) throws(Fault) -> Bool {
        let (name, value) = parameter
        if let type, let known = Self.trailParameters[type], !known.contains(name) { return false }
        switch name {
        case "_id":
            // A value that is not an id of this journal matches nothing.
            let found = Set(value.split(separator: ",").compactMap { UUID(uuidString: String($0)) })
            ids = ids.map { $0.intersection(found) } ?? found
        case "patient", "subject":
            guard type != "Patient" else { return false }
            let parts = value.split(separator: "/")
            guard let id = parts.last.flatMap({ UUID(uuidString: String($0)) }),
                parts.count == 1 || parts.dropLast().last == "Patient", patient == nil || patient == id
            else { throw Fault(name, "must be the id of one Patient, such as Patient/0190…") }
            patient = id
        case "target" where type == "Provenance":
            let parts = value.split(separator: "/").map(String.init)
            guard parts.count == 2 || parts.count == 4 && parts[2] == "_history", let id = UUID(uuidString: parts[1]),
                parts.count == 2 || UInt64(parts[3]) != nil
            else { throw Fault(name, "must be a resource such as Observation/0190…, or a version of it") }
            target = (parts[0], id, parts.count == 4 ? UInt64(parts[3]) : nil)
        case "date" where type != "Patient": happened.append(try FHIRDateCondition.any(value, name))
        case "birthdate" where type == "Patient": happened.append(try FHIRDateCondition.any(value, name))
        case "_lastUpdated", "_since":
            if name == "_since" { guard type == nil else { return false } }
            updated.append(try FHIRDateCondition.any(name == "_since" ? "ge\(value)" : value, name))
        case "_type":
            guard type == nil else { return false }
            types = Set(value.split(separator: ",").map(String.init))
        case "_count":
            guard let number = Int(value), number >= 0 else { throw Fault(name, "must be a whole number") }
            count = min(number, Self.maximumCount)
            if number == 0 { wantsTotal = true }
        case "_summary":
            guard value == "count" else { return false }
        case "_total": wantsTotal = wantsTotal || value == "accurate"
        case "_sort":
            guard ["date", "-date"].contains(value), type != "Patient" else {
                throw Fault(name, "must be date or -date", isUnsupported: true)
            }
            order = .byDate(descending: value.hasPrefix("-"))
        case Self.pageParameter: cursor = try Self.cursor(value)
        case let name where Self.nameParts[name] != nil && type == "Patient":
            names.append((Self.nameParts[name] ?? [], value.split(separator: ",").map { FoldedName(String($0)) }))
        case let name where Self.tokenElements[name] != nil && (type == "Patient") == (name == "gender"),
            let name where name == "identifier":
            tokens.append((Self.tokenElements[name] ?? [], value.split(separator: ",").map(FHIRToken.init)))
        default: return false
        }
        return true
    }

    private static func cursor(_ text: String) throws(Fault) -> Cursor {
        let parts = text.split(separator: ".")
        if text.hasPrefix("t"), parts.count == 2, let after = UInt64(parts[0].dropFirst()), let last = UInt64(parts[1])
        {
            return .trail(after: after, through: last)
        }
        if parts.count == 2, let kind = UInt16(parts[0]), let added = UInt64(parts[1]) {
            return .after(kind: kind, added: added)
        }
        guard parts.count == 1, let offset = Int(text), offset >= 0 else {
            throw Fault(pageParameter, "is not the address of a page that this journal wrote")
        }
        return .offset(offset)
    }

    /// The parameters of another page of the same search.
    package func parameters(of cursor: Cursor) -> [Parameter] {
        let text =
            switch cursor {
            case .after(let kind, let added): "\(kind).\(added)"
            case .offset(let offset): String(offset)
            case .trail(let after, let last): "t\(after).\(last)"
            }
        return used + [(Self.pageParameter, text)]
    }

    // MARK: - What matches

    /// The kinds of entries that can match.
    package var kinds: [Kind] {
        guard let types else { return Kind.all }
        if types.count == 1, let type = types.first { return FHIRTypes.kinds(of: type) }
        let found = Set(types.flatMap(FHIRTypes.kinds))
        return Kind.all.filter(found.contains)
    }

    /// The entries that can match by their ids, so that no others need to be opened.
    package func wanted(among entries: [UUID]) -> [UUID] { ids.map { ids in entries.filter(ids.contains) } ?? entries }

    /// Whether Patients match.
    package var includesPatient: Bool { types?.contains("Patient") ?? true }

    /// Whether an entry matches, as far as its content decides.
    package func admits(_ entry: EntryState) -> Bool {
        if let ids, !ids.contains(entry.id) { return false }
        guard Self.hold(updated, .instant(entry.latest.recordedAt)) else { return false }
        if !happened.isEmpty {
            let span = FHIRDateCondition.span(of: entry.content)
            guard happened.allSatisfy({ $0.contains { $0.matches(span) } }) else { return false }
        }
        guard let type = FHIRTypes.type(of: entry.content), !RecordFHIRWriter.isPatient(entry.content) else {
            return false
        }
        return types?.contains(type) ?? true
    }

    /// Whether the moment at which something was recorded matches.
    package func admits(recordedAt instant: Instant) -> Bool {
        Self.hold(happened + updated, .instant(instant))
    }

    private static func hold(_ conditions: [[FHIRDateCondition]], _ date: OccurredDate?) -> Bool {
        let span = date.map { FHIRDateCondition.span(of: $0) }
        return conditions.allSatisfy { $0.contains { $0.matches(span) } }
    }

    /// Whether the elements of a resource decide, too.
    package var looksAtElements: Bool { !tokens.isEmpty }

    /// Whether the elements of a resource match.
    package func admits(_ resource: JSONValue) -> Bool {
        tokens.allSatisfy { elements, values in
            elements.contains { name in
                guard let element = resource[name] else { return false }
                return values.contains { $0.matches(element) }
            }
        }
    }

    /// Whether a Patient matches.
    ///
    /// `isVersioned` is whether the reader may know when it changed; otherwise no such condition matches.
    package func admits(patient: JSONValue, _ record: RecordState, isVersioned: Bool) -> Bool {
        if let ids, !ids.contains(record.id) { return false }
        guard updated.isEmpty || isVersioned && Self.hold(updated, .instant(record.updated.recordedAt)),
            admits(patient)
        else { return false }
        let birth = record.profile.values.partialDate(RecordProfile.birthdate).map { OccurredDate.date($0) }
        guard Self.hold(happened, birth) else { return false }
        guard case .array(let written)? = patient["name"] else { return names.isEmpty }
        return names.allSatisfy { parts, values in
            written.contains { name in
                let words = parts.flatMap { name[$0]?.texts ?? [] }.map { FoldedName($0).text }
                return values.contains { value in words.contains { $0.hasPrefix(value.text) } }
            }
        }
    }
}

/// A code, with or without its system: `code`, `system|code`, `|code` or `system|`.
struct FHIRToken: Sendable {
    private let system: String?
    private let code: String?

    init(_ text: Substring) {
        guard let bar = text.firstIndex(of: "|") else {
            (system, code) = (nil, String(text))
            return
        }
        system = String(text[..<bar])
        let rest = text[text.index(after: bar)...]
        code = rest.isEmpty ? nil : String(rest)
    }

    /// Whether it matches a code, a Coding, a CodeableConcept, an Identifier, or one of several of them.
    func matches(_ element: JSONValue) -> Bool {
        switch element {
        case .string(let text): return system == nil && code == text
        case .array(let items): return items.contains { matches($0) }
        case .object:
            if let codings = element["coding"] { return matches(codings) }
            guard let found = element["code"] ?? element["value"] else { return false }
            if let code, found != .string(code) { return false }
            guard let system else { return true }
            return element["system"] ?? "" == .string(system)
        default: return false
        }
    }
}

extension JSONValue {
    fileprivate var texts: [String] {
        switch self {
        case .string(let text): [text]
        case .array(let items): items.flatMap(\.texts)
        default: []
        }
    }
}
