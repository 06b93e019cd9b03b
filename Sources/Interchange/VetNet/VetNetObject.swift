internal import FoundationEssentials
internal import HealthModel

/// An object of a document of VetNet, whose members have several spellings.
struct VetNetObject {
    let object: NativeObject
    var path: DocumentPath { object.path }

    init(_ value: JSONValue, at path: DocumentPath) throws(ModelError) {
        object = try NativeObject(value, at: path)
    }

    /// Returns the first member of one of the names that is there and is not null.
    func value(_ names: [String]) -> (name: String, value: JSONValue)? {
        for name in names {
            if let found = object.members.first(where: { $0.name == name }), found.value != .null {
                return (name, found.value)
            }
        }
        return nil
    }

    /// A text; nil if it is missing or empty.
    func text(_ names: String...) throws(ModelError) -> String? {
        guard let (name, value) = value(names) else { return nil }
        guard case .string(let text) = value else {
            throw ModelError(.invalid, field: path.appending(name).field, "must be text, not \(value.typeName)")
        }
        return text.isEmpty ? nil : text.withUnixLines
    }

    func id(_ names: String...) throws(ModelError) -> UUID {
        guard let id = try optionalID(names) else {
            throw ModelError(.invalid, field: path.appending(names[0]).field, "must be a UUID")
        }
        return id
    }

    /// An id, which may be that of an object, such as `"owner": {"ownerID": …}`; nil if it is missing.
    func optionalID(_ names: [String], of inner: [String] = []) throws(ModelError) -> UUID? {
        guard let (name, found) = value(names) else { return nil }
        var text = found
        if case .object(let members) = found {
            text = inner.lazy.compactMap { name in members.first { $0.name == name }?.value }.first ?? .null
        }
        guard case .string(let id) = text, let id = UUID(uuidString: id) else {
            throw ModelError(.invalid, field: path.appending(name).field, "must be a UUID")
        }
        return id
    }

    func flag(_ name: String, default usual: Bool) throws(ModelError) -> Bool {
        switch value([name])?.value {
        case nil: return usual
        case .bool(let flag)?: return flag
        case .some(let other):
            throw ModelError(
                .invalid,
                field: path.appending(name).field,
                "must be true or false, not \(other.typeName)"
            )
        }
    }

    /// A number with its digits; nil if it is missing.
    func decimal(_ name: String) throws(ModelError) -> ExactDecimal? {
        guard let (_, value) = value([name]) else { return nil }
        guard case .number(let text) = value, let number = try? ExactDecimal(parsing: text) else {
            throw ModelError(.invalid, field: path.appending(name).field, "must be a number")
        }
        return number
    }

    func list(_ names: String...) throws(ModelError) -> [(value: JSONValue, path: DocumentPath)] {
        guard let (name, value) = value(names) else { return [] }
        guard case .array(let items) = value else {
            throw ModelError(.invalid, field: path.appending(name).field, "must be a list, not \(value.typeName)")
        }
        return items.enumerated().map { ($0.element, path.appending(name).appending($0.offset)) }
    }

    func objects(_ names: String...) throws(ModelError) -> [VetNetObject] {
        guard let (name, value) = value(names) else { return [] }
        guard case .array(let items) = value else {
            throw ModelError(.invalid, field: path.appending(name).field, "must be a list, not \(value.typeName)")
        }
        var objects: [VetNetObject] = []
        for (index, item) in items.enumerated() {
            objects.append(try VetNetObject(item, at: path.appending(name).appending(index)))
        }
        return objects
    }

    func optionalObject(_ name: String) throws(ModelError) -> VetNetObject? {
        guard let (_, value) = value([name]) else { return nil }
        return try VetNetObject(value, at: path.appending(name))
    }

    /// A moment: ISO 8601, or seconds since the epoch of the document; nil if it is missing.
    func instant(_ options: VetNetOptions, _ names: String...) throws(ModelError) -> Instant? {
        guard let (name, value) = value(names) else { return nil }
        let field = path.appending(name).field
        var found: Instant?
        switch value {
        case .string(let text): found = try? Instant(parsing: text)
        case .number(let text):
            found = (try? ExactDecimal(parsing: text)).flatMap { PurusDates.instant($0, options.epoch) }
        default: break
        }
        guard let found, Day(of: found) >= Day.earliestEntered,
            Day(of: found) <= Day(of: options.now).adding(years: Day.yearsAhead)
        else {
            throw ModelError(
                .invalid,
                field: field,
                "must be a time such as 2027-03-01T09:00:00Z, or seconds since \(options.epoch.year) (--epoch)"
            )
        }
        return found
    }

    /// A day, a month or a year, or the day of a moment in a time zone; nil if it is missing.
    func date(_ options: VetNetOptions, in zone: String, _ name: String) throws(ModelError) -> PartialDate? {
        if let (_, value) = value([name]), case .string(let text) = value, let date = try? PartialDate(parsing: text) {
            return date
        }
        return try instant(options, name).map { .day(options.day($0, zone)) }
    }

    /// The paths of the members that have none of the names.
    func others(than known: Set<String>) -> [String] {
        object.members.filter { !known.contains($0.name) && $0.value != .null }
            .map { path.appending($0.name).text }
    }
}
