import FoundationEssentials
package import HealthModel

/// The JSON form of a caregiver's grant.
package enum NativeGrant {
    /// Encodes a grant, with the names of its account and of the account that gave it if they are given.
    package static func write(_ grant: Grant, name: String? = nil, giver: String? = nil, today: Day) -> JSONValue {
        var members: [JSONValue.Member] = [.init("account", .string(grant.account.text))]
        if let name { members.append(.init("name", .string(name))) }
        members += self.members(of: grant.terms)
        members += [
            .init("grantedAt", .string(grant.given.recordedAt.description)),
            .init("grantedBy", .string(grant.givenBy.text)),
        ]
        if let giver { members.append(.init("grantedByName", .string(giver))) }
        members += [
            .init("position", .integer(grant.given.position)),
            .init("active", .bool(grant.isActive(on: today))),
        ]
        if let revoked = grant.revoked { members.append(.init("revokedAt", .string(revoked.recordedAt.description))) }
        return .object(members)
    }

    static func members(of terms: GrantTerms) -> [JSONValue.Member] {
        var members: [JSONValue.Member] = [
            .init("sections", .array(terms.sections.sorted { $0.rawValue < $1.rawValue }.map { .string($0.name) })),
            .init("verbs", .array(terms.verbs.sorted { $0.rawValue < $1.rawValue }.map { .string($0.name) })),
        ]
        if let from = terms.from { members.append(.init("from", .string(from.description))) }
        if let until = terms.until { members.append(.init("until", .string(until.description))) }
        if terms.emergencyAfterEnd { members.append(.init("emergencyAfterEnd", .bool(true))) }
        return members
    }
}

extension NativeGrant {
    private static let names: Set<String> = ["sections", "verbs", "from", "until", "emergencyAfterEnd"]

    /// Reads the terms of a grant; the defaults are those of the command line: all sections, read access, starting
    /// immediately.
    package static func terms(_ value: JSONValue) throws(ModelError) -> GrantTerms {
        let object = try NativeObject(value, at: DocumentPath())
        if let unknown = object.members.first(where: { !names.contains($0.name) }) {
            throw ModelError(.invalid, field: DocumentPath().appending(unknown.name).field, "a grant has no such field")
        }
        var terms = GrantTerms()
        if let sections = try object.texts("sections") {
            terms.sections = []
            for name in sections { terms.sections.insert(try Section(named: name)) }
        }
        if let verbs = try object.texts("verbs") {
            terms.verbs = []
            for name in verbs { terms.verbs.insert(try Verb(named: name)) }
        }
        terms.from = try object.day("from")
        terms.until = try object.day("until")
        terms.emergencyAfterEnd = try object.choice("emergencyAfterEnd")
        return terms
    }
}

extension NativeObject {
    fileprivate func texts(_ name: String) throws(ModelError) -> [String]? {
        guard let value = members.first(where: { $0.name == name })?.value, value != .null else { return nil }
        let place = path.appending(name)
        guard case .array(let items) = value else {
            throw ModelError(.invalid, field: place.field, "must be an array, not \(value.typeName)")
        }
        var texts: [String] = []
        for (index, item) in items.enumerated() {
            guard case .string(let text) = item else {
                throw ModelError(.invalid, field: place.appending(index).field, "must be text, not \(item.typeName)")
            }
            texts.append(text)
        }
        return texts
    }

    /// A Boolean member; false if it is missing or null.
    fileprivate func choice(_ name: String) throws(ModelError) -> Bool {
        switch members.first(where: { $0.name == name })?.value {
        case nil, .null: return false
        case .bool(let choice): return choice
        case .some(let other):
            throw ModelError(
                .invalid,
                field: path.appending(name).field,
                "must be true or false, not \(other.typeName)"
            )
        }
    }

    fileprivate func day(_ name: String) throws(ModelError) -> Day? {
        guard let text = try text(name), !text.isEmpty else { return nil }
        do { return try Day(parsing: text) } catch { throw error.at(path.appending(name)) }
    }
}
