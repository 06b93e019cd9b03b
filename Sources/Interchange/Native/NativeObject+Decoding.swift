package import FoundationEssentials
package import HealthModel

/// Decoding of the documents that a journal's own service returned.
///
/// Documents contain when and by whom something was recorded, but mostly not its position: it is 0 if it is missing.
extension NativeObject {
    package func member(_ name: String) throws(ModelError) -> JSONValue {
        guard let value = members.first(where: { $0.name == name })?.value, value != .null else {
            throw ModelError(.invalid, field: path.appending(name).field, "is missing")
        }
        return value
    }

    package func object(_ name: String) throws(ModelError) -> NativeObject {
        try NativeObject(member(name), at: path.appending(name))
    }

    package func objects(_ name: String) throws(ModelError) -> [NativeObject] {
        let value = try member(name)
        guard case .array(let items) = value else {
            throw ModelError(.invalid, field: path.appending(name).field, "must be an array, not \(value.typeName)")
        }
        var objects: [NativeObject] = []
        for (index, item) in items.enumerated() {
            objects.append(try NativeObject(item, at: path.appending(name).appending(index)))
        }
        return objects
    }

    package func required(_ name: String) throws(ModelError) -> String {
        guard let text = try text(name) else {
            throw ModelError(.invalid, field: path.appending(name).field, "is missing")
        }
        return text
    }

    package func texts(_ name: String) throws(ModelError) -> [String] {
        guard case .array(let items) = try member(name) else {
            throw ModelError(.invalid, field: path.appending(name).field, "must be an array")
        }
        return items.compactMap { if case .string(let text) = $0 { text } else { nil } }
    }

    /// A list of texts; empty if the member is missing or null.
    func optionalTexts(_ name: String) throws(ModelError) -> [String] {
        let value = members.first { $0.name == name }?.value ?? .null
        return value == .null ? [] : try texts(name)
    }

    package func flag(_ name: String) throws(ModelError) -> Bool { try member(name) == .bool(true) }

    /// A Boolean member that may be missing or null.
    package func optionalFlag(_ name: String, default usual: Bool = false) throws(ModelError) -> Bool {
        switch members.first(where: { $0.name == name })?.value {
        case nil, .null: return usual
        case .bool(let flag): return flag
        case .some(let other):
            throw ModelError(
                .invalid,
                field: path.appending(name).field,
                "must be true or false, not \(other.typeName)"
            )
        }
    }

    package func number(_ name: String) throws(ModelError) -> UInt64 {
        guard case .number(let text) = try member(name), let number = UInt64(text) else {
            throw ModelError(.invalid, field: path.appending(name).field, "must be a whole number")
        }
        return number
    }

    /// An id; nil if it is missing.
    package func optionalID(_ name: String) throws(ModelError) -> UUID? {
        try text(name) == nil ? nil : id(name)
    }

    /// A member that is an object; nil if it is missing or null.
    package func optionalObject(_ name: String) throws(ModelError) -> NativeObject? {
        let value = members.first { $0.name == name }?.value ?? .null
        return value == .null ? nil : try object(name)
    }

    package func instant(_ name: String) throws(ModelError) -> Instant {
        do { return try Instant(parsing: required(name)) } catch { throw error.at(path.appending(name)) }
    }

    package func optionalInstant(_ name: String) throws(ModelError) -> Instant? {
        try text(name) == nil ? nil : instant(name)
    }

    package func optionalDay(_ name: String) throws(ModelError) -> Day? {
        guard let text = try text(name) else { return nil }
        do { return try Day(parsing: text) } catch { throw error.at(path.appending(name)) }
    }

    /// A whole number that may be negative; nil if it is missing.
    package func optionalInteger(_ name: String) throws(ModelError) -> Int? {
        guard let value = members.first(where: { $0.name == name })?.value, value != .null else { return nil }
        // JSON Schema counts 3.0 as a whole number.
        guard case .number(let text) = value, let decimal = try? ExactDecimal(parsing: text).withoutTrailingZeros,
            decimal.scale == 0, let number = Int(exactly: decimal.coefficient)
        else { throw ModelError(.invalid, field: path.appending(name).field, "must be a whole number") }
        return number
    }

    /// A decimal number, which documents contain as text; nil if it is missing.
    package func decimal(_ name: String) throws(ModelError) -> ExactDecimal? {
        try text(name) == nil ? nil : requiredDecimal(name)
    }

    package func requiredDecimal(_ name: String) throws(ModelError) -> ExactDecimal {
        do { return try ExactDecimal(parsing: required(name)) } catch { throw error.at(path.appending(name)) }
    }

    /// An amount, which may be a fraction such as `1/3`.
    package func amount(_ name: String) throws(ModelError) -> ExactDecimal? {
        try text(name) == nil ? nil : requiredAmount(name)
    }

    package func requiredAmount(_ name: String) throws(ModelError) -> ExactDecimal {
        do { return try ExactDecimal(parsingAmount: required(name)) } catch { throw error.at(path.appending(name)) }
    }

    /// One of the words of an enumeration.
    package func choice<Choice: RawRepresentable<String>>(
        _ name: String,
        _ type: Choice.Type
    ) throws(ModelError) -> Choice {
        guard let choice = try Choice(rawValue: required(name)) else {
            throw ModelError(.invalid, field: path.appending(name).field, "is not a known value")
        }
        return choice
    }

    /// The kind of entry that a member names.
    package func kind(_ name: String = "kind") throws(ModelError) -> Kind {
        guard let kind = Kind.named(try required(name)) else {
            throw ModelError(.invalid, field: path.appending(name).field, "there is no such kind of entry")
        }
        return kind
    }

    /// One of the words of an enumeration; nil if it is missing.
    func optionalChoice<Choice: RawRepresentable<String>>(
        _ name: String,
        _ type: Choice.Type
    ) throws(ModelError) -> Choice? {
        try text(name) == nil ? nil : choice(name, type)
    }

    /// A text that is parsed; nil if it is missing.
    func parsed<Value>(
        _ name: String,
        _ parse: (String) throws(ModelError) -> Value
    ) throws(ModelError) -> Value? {
        guard let text = try text(name) else { return nil }
        do { return try parse(text) } catch { throw error.at(path.appending(name)) }
    }

    /// Throws an error if the object has a member that a schema does not describe.
    func requireMembers(of schema: JSONValue) throws(ModelError) {
        try requireMembers(schema["properties"]?.members.map(\.name) ?? [])
    }

    /// Throws an error if the object has other members than the given ones.
    package func requireMembers(_ names: [String]) throws(ModelError) {
        guard let unknown = members.first(where: { !names.contains($0.name) }) else { return }
        throw ModelError(
            .invalid,
            // A client chose the name, which may be very long.
            field: path.appending(String(unknown.name.prefix(40))).field,
            "is unknown; the members are \(names.joined(separator: ", "))"
        )
    }

    /// A stamp of the recorded time, with the actor if the document names one.
    package func stamp(_ time: String, by actor: String? = nil) throws(ModelError) -> Stamp {
        var stamp = Stamp(position: 0, recordedAt: try instant(time), actor: .unspecified)
        if let actor { stamp.actor = try optionalID(actor) ?? .unspecified }
        return stamp
    }

    /// A stamp like `stamp(_:by:)`; nil if the time is missing.
    package func optionalStamp(_ time: String, by actor: String? = nil) throws(ModelError) -> Stamp? {
        try text(time) == nil ? nil : stamp(time, by: actor)
    }
}

extension UUID {
    /// Represents an account that a document does not name.
    package static let unspecified = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
}
