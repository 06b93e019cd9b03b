package import FoundationEssentials
package import HealthModel

/// A search for resources of a record, with the parameters of FHIR (https://hl7.org/fhir/R4/search.html) that it supports.
///
/// An unsupported parameter that filters is an error, because ignoring it would widen the answer. Unsupported parameters that
/// only change the form of an answer are ignored. A client can ask for another ``Handling``. The link `self` of the answer
/// lists the parameters that were used.
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

    /// What a client wants to happen with parameters that are not supported (https://hl7.org/fhir/R4/search.html#errors).
    package enum Handling: Sendable {
        /// Each of them is an error.
        case strict
        /// Those that filter are errors, and others are ignored.
        case usual
        /// All of them are ignored.
        case lenient
    }

    /// The types that are wanted; nil for all.
    package var types: Set<String>?
    package private(set) var patient: UUID?
    package private(set) var ids: Set<UUID>?
    /// The entry whose Provenance is requested, and perhaps one of its versions.
    package private(set) var target: (type: String, entry: UUID, version: UInt64?)?
    /// The keys by which the resources are sorted, the most significant one first; empty for the order in which they were added.
    package private(set) var order: [FHIRSortKey] = []
    /// The number of resources on a page.
    package private(set) var count = FHIRSearch.usualCount
    /// Whether all matches are counted, which needs a look at each entry.
    package private(set) var wantsTotal = false
    package private(set) var cursor: Cursor?
    /// The parts of each resource that are wanted.
    package let subset: FHIRSubset
    /// The parameters that were used, without that of the page.
    package private(set) var used: [Parameter] = []

    /// Each list has the conditions of one parameter, one of which must hold.
    private var happened: [[FHIRDateCondition]] = []
    private var updated: [[FHIRDateCondition]] = []
    private var tokens: [(elements: [String], values: [FHIRToken])] = []
    private var dates: [(element: String, conditions: [FHIRDateCondition])] = []
    private var names: [(parts: [String], values: [FoldedName])] = []

    package static let usualCount = 50
    package static let maximumCount = 1_000
    static let pageParameter = "_page"
    private static let maximumKeys = 5

    /// The names and types of the parameters that filter the resources of a type, for the description of the service.
    static func parameters(of type: String) -> [(name: String, type: String)] {
        var parameters = [("_id", "token"), ("_lastUpdated", "date")]
        if type == "Patient" {
            parameters.append(("birthdate", "date"))
        } else {
            parameters += [("patient", "reference"), ("subject", "reference"), ("date", "date")]
        }
        if type == "Coverage" { parameters.append(("beneficiary", "reference")) }
        return parameters
            + FHIRElementParameter.names(of: type)
            .map { ($0, FHIRElementParameter.of($0, type)?.type ?? "token") }
    }

    /// Reads the parameters of a search for a type, nil for all types, perhaps within the compartment of a Patient.
    ///
    /// `servers` are the addresses of this service below which its resources are, without the scheme: an absolute reference
    /// to a resource elsewhere is refused.
    package init(
        of type: String?,
        in compartment: UUID? = nil,
        _ parameters: [Parameter],
        handling: Handling = .usual,
        servers: [String] = []
    ) throws(Fault) {
        types = type.map { [$0] }
        subset = try FHIRSubset(parameters)
        if let compartment {
            guard type != "Patient", type != "Provenance" else {
                throw Fault("patient", "is not a parameter of this search", isUnsupported: true)
            }
            patient = compartment
        }
        for parameter in parameters {
            let isUsed: Bool
            do throws(Fault) {
                isUsed = try take(parameter, type, servers)
                guard isUsed || Self.hasNoEffect(parameter.name, handling) else {
                    throw Fault(parameter.name, "is not a parameter of this search", isUnsupported: true)
                }
            } catch {
                guard error.isUnsupported, handling == .lenient else { throw error }
                continue
            }
            if isUsed, parameter.name != Self.pageParameter { used.append(parameter) }
        }
        // Whatever the order of the parameters.
        if subset.isCount { (count, wantsTotal) = (0, true) }
        if case .text? = subset.form, parameters.contains(where: { $0.name.hasPrefix("_include") }) {
            throw Fault("_summary", "cannot be text together with _include")
        }
        let isPaged = type.map { ["Patient", "Consent", "Provenance"].contains($0) } ?? false
        if case .offset? = cursor, order.isEmpty, !isPaged { throw Fault(Self.pageParameter, "is not of this search") }
        if case .after? = cursor, !order.isEmpty { throw Fault(Self.pageParameter, "is not of this search") }
    }

    /// Whether a parameter is accepted although it is not used.
    private static func hasNoEffect(_ name: String, _ handling: Handling) -> Bool {
        name == "_pretty" || handling != .strict && ignored.contains(name)
    }

    /// Parameters that change the form of an answer and not what it contains, and are ignored.
    private static let ignored: Set = [
        "_include", "_revinclude", "_include:iterate", "_revinclude:iterate", "_contained", "_containedType", "_total",
        "_totalMethod", "_score",
    ]
    private static let general: Set = ["_count", "_format", "_summary", "_elements"]
    /// The parameters of the types of ``FHIRTrail``, besides the general ones.
    private static let trailParameters: [String: Set<String>] = [
        "AuditEvent": ["patient", "date", "_lastUpdated", pageParameter],
        "Consent": ["patient", "status", pageParameter], "Provenance": ["target", pageParameter],
    ]

    /// Takes a parameter; false for one that is unknown.
    private mutating func take(
        _ parameter: Parameter,
        _ type: String?,
        _ servers: [String]
    ) throws(Fault) -> Bool {
        let (name, value) = parameter
        if let type, let known = Self.trailParameters[type], !known.contains(name.withoutTarget),
            !Self.general.contains(name)
        {
            return false
        }
        switch name {
        case "_id":
            // A value that is not an id of this journal matches nothing.
            let found = Set(value.split(separator: ",").compactMap { UUID(uuidString: String($0)) })
            ids = ids.map { $0.intersection(found) } ?? found
        case "patient", "subject", "patient:Patient", "subject:Patient":
            guard type != "Patient" else { return false }
            try take(reference: value, name, servers)
        case "beneficiary", "beneficiary:Patient":
            guard type == "Coverage" else { return false }
            try take(reference: value, name, servers)
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
        case "_summary", "_elements", "_format": break
        case "_total": wantsTotal = wantsTotal || value == "accurate"
        case "_sort": order = try Self.sortKeys(value, type)
        case Self.pageParameter: cursor = try Self.cursor(value)
        default: return try take(element: name, value, type)
        }
        return true
    }

    /// Takes a parameter that looks at elements of the resource; false for one that is unknown.
    private mutating func take(element name: String, _ value: String, _ type: String?) throws(Fault) -> Bool {
        guard let element = FHIRElementParameter.of(name, type) else { return false }
        switch element {
        case .token(let elements): tokens.append((elements, value.split(separator: ",").map(FHIRToken.init)))
        case .date(let element): dates.append((element, try FHIRDateCondition.any(value, name)))
        case .name(let parts): names.append((parts, value.split(separator: ",").map { FoldedName(String($0)) }))
        }
        return true
    }

    /// Takes the Patient whose record is searched.
    private mutating func take(reference value: String, _ name: String, _ servers: [String]) throws(Fault) {
        var relative = Substring(value)
        if let scheme = ["https://", "http://"].first(where: value.hasPrefix) {
            let address = value.dropFirst(scheme.count)
            guard let server = servers.first(where: { address.hasPrefix($0 + "/") }) else {
                throw Fault(name, "must be a Patient of this service")
            }
            relative = address.dropFirst(server.utf8.count + 1)
        }
        let parts = relative.split(separator: "/", omittingEmptySubsequences: false)
        guard let id = parts.last.flatMap({ UUID(uuidString: String($0)) }),
            parts.count == 1 || parts.count == 2 && parts[0] == "Patient", patient == nil || patient == id
        else { throw Fault(name, "must be the id of one Patient, such as Patient/0190…") }
        patient = id
    }

    private static func sortKeys(_ value: String, _ type: String?) throws(Fault) -> [FHIRSortKey] {
        var keys: [FHIRSortKey] = []
        for part in value.split(separator: ",", omittingEmptySubsequences: false) {
            guard let key = FHIRSortKey(part, of: type), keys.count < maximumKeys else {
                let example = type == "Patient" ? "family,-birthdate" : "-date,code"
                throw Fault("_sort", "must be up to \(maximumKeys) keys such as \(example)", isUnsupported: true)
            }
            keys.append(key)
        }
        return keys
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

    /// Whether the elements of a resource decide, too, or are sorted by.
    package var looksAtElements: Bool {
        !tokens.isEmpty || !dates.isEmpty || order.contains { $0.looksAtElements }
    }

    /// Whether the elements of a resource match.
    package func admits(_ resource: JSONValue) -> Bool {
        tokens.allSatisfy { elements, values in
            elements.contains { name in
                guard let element = resource[name] else { return false }
                return values.contains { $0.matches(element) }
            }
        }
            && dates.allSatisfy { element, conditions in
                let span = FHIRDateCondition.span(of: resource, element)
                return conditions.contains { $0.matches(span) }
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

extension String {
    /// The name of a parameter without the modifier that says what type a reference leads to.
    fileprivate var withoutTarget: String { hasSuffix(":Patient") ? String(dropLast(":Patient".count)) : self }
}
