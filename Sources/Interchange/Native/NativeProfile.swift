package import FoundationEssentials
package import HealthModel

/// The profile of a record in a request, in which unknown members are errors.
package enum NativeProfile {
    /// Reads `{"subject": …, "profile": {…}, "id": …}`: the profile of a new record, and its id if one is given.
    package static func creation(
        _ value: JSONValue,
        now: Instant
    ) throws(ModelError) -> (profile: RecordProfile, id: UUID?) {
        let root = try NativeObject(value, at: DocumentPath())
        try refuseUnknown(root, known: ["subject", "profile", "id"])
        let subject: Subject
        do { subject = try Subject(named: try root.text("subject") ?? "") } catch {
            throw error.at(root.path.appending("subject"))
        }
        return try creation(of: subject, root, now: now)
    }

    /// Reads the members `profile` and `id` of an object, which may have others: the profile of a new record of a
    /// subject, and its id if one is given.
    package static func creation(
        of subject: Subject,
        _ root: NativeObject,
        now: Instant
    ) throws(ModelError) -> (profile: RecordProfile, id: UUID?) {
        let id = try root.text("id") == nil ? nil : root.id("id")
        return (try patched(RecordProfile(subject: subject), root, now: now), id)
    }

    /// Applies `{"profile": {…}}` as a merge patch (RFC 7396): null removes a value, and missing members stay
    /// unchanged.
    package static func patched(
        _ profile: RecordProfile,
        with value: JSONValue,
        now: Instant
    ) throws(ModelError) -> RecordProfile {
        let root = try NativeObject(value, at: DocumentPath())
        try refuseUnknown(root, known: ["profile"])
        return try patched(profile, root, now: now)
    }

    private static func patched(
        _ profile: RecordProfile,
        _ root: NativeObject,
        now: Instant
    ) throws(ModelError) -> RecordProfile {
        guard let value = root.members.first(where: { $0.name == "profile" })?.value else { return profile }
        var profile = profile
        let object = try NativeObject(value, at: root.path.appending("profile"))
        profile.values = try patched(profile.values, with: object, fields: profile.fields)
        // A value that the request states is no longer inferred.
        let said = Set(object.members.map(\.name))
        profile.inferred.removeAll(where: said.contains)
        do { try profile.validate(now: now) } catch { throw object.located(error) }
        return profile
    }

    private static func patched(
        _ values: FieldValues,
        with object: NativeObject,
        fields: [Field]
    ) throws(ModelError) -> FieldValues {
        try refuseUnknown(object, known: Set(fields.map(\.name)))
        var values = values
        for member in object.members {
            guard let field = fields.first(where: { $0.name == member.name }) else { continue }
            let place = object.path.appending(member.name)
            if case .group(let inner) = field.type, case .object = member.value {
                let group = try NativeObject(member.value, at: place)
                values[field] = .group(try patched(values.group(field) ?? FieldValues(), with: group, fields: inner))
            } else {
                values[field] = try FieldCodec.native.value(member.value, as: field, at: place)
            }
        }
        return values
    }

    private static func refuseUnknown(_ object: NativeObject, known: Set<String>) throws(ModelError) {
        guard let unknown = object.members.first(where: { !known.contains($0.name) }) else { return }
        let field = object.path.appending(unknown.name).field
        throw ModelError(.invalid, field: field, "there is no such field here")
    }
}
