package import HealthModel

extension NativeProfile {
    /// Encodes the request that creates a record: the counterpart of ``creation(_:now:)``.
    package static func creation(of profile: RecordProfile) -> JSONValue {
        [
            "subject": .string(profile.subject.name),
            "profile": values(of: profile),
        ]
    }

    /// Encodes the values of a profile.
    package static func values(of profile: RecordProfile) -> JSONValue {
        .object(FieldCodec.native.members(profile.values, of: profile.fields))
    }

    /// Encodes the request that changes one profile into another: the counterpart of ``patched(_:with:now:)``.
    package static func patch(from old: RecordProfile, to new: RecordProfile) -> JSONValue {
        let values = JSONValue.object(FieldCodec.native.members(new.values, of: new.fields))
        var members = mergePatch(from: .object(FieldCodec.native.members(old.values, of: old.fields)), to: values)
        // An inferred value is confirmed by sending the same value.
        let said = Set(old.inferred).subtracting(new.inferred)
        for name in said.sorted() where !members.contains(where: { $0.name == name }) {
            members.append(.init(name, values[name] ?? .null))
        }
        return ["profile": .object(members)]
    }

    /// The members of a merge patch (RFC 7396) that changes one value into another.
    private static func mergePatch(from old: JSONValue, to new: JSONValue) -> [JSONValue.Member] {
        guard case .object(let before) = old, case .object(let after) = new else { return [] }
        let gone = before.filter { new[$0.name] == nil }.map { JSONValue.Member($0.name, .null) }
        return gone
            + after.compactMap { member in
                guard let value = old[member.name] else { return member }
                if value == member.value { return nil }
                guard case .object = value, case .object = member.value else { return member }
                return .init(member.name, .object(mergePatch(from: value, to: member.value)))
            }
    }
}
