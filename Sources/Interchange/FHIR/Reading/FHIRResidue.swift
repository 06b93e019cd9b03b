import HealthModel

/// What a resource does not say of its entry: the members of the native form that reading it back would not give.
///
/// An extension contains it as JSON text, with null for a member that the entry does not have. So nothing can be lost on
/// the way out and in again, whatever elements the resource has.
struct FHIRResidue {
    /// The kind of the entry, if the resource becomes another one, or foreign.
    var kind: Kind?
    var members: [JSONValue.Member]

    private static let kindName = "kind"

    /// Compares an entry with what its resource says; nil if that is the same.
    init?(of content: EntryContent, readBackAs meaning: EntryContent?) {
        let wanted = NativeDocument.members(of: content.withoutMark)
        let same = meaning?.kind == content.kind ? meaning : nil
        let found = same.map { NativeDocument.members(of: $0.withoutMark) } ?? []
        members = wanted.filter { member in !found.contains { $0.name == member.name && $0.value == member.value } }
        let names = Set(wanted.map(\.name))
        members += found.filter { !names.contains($0.name) }.map { .init($0.name, .null) }
        kind = same == nil ? content.kind : nil
        if members.isEmpty, kind == nil { return nil }
    }

    /// Compares a profile with what its Patient says; nil if that is the same.
    init?(of profile: RecordProfile, readBackAs found: RecordProfile) {
        let wanted = NativeDocument.profile(profile).members
        let said = NativeDocument.profile(found).members
        members = wanted.filter { member in !said.contains { $0.name == member.name && $0.value == member.value } }
        let names = Set(wanted.map(\.name))
        members += said.filter { !names.contains($0.name) }.map { .init($0.name, .null) }
        if members.isEmpty { return nil }
    }

    /// Returns the profile of a Patient with what the Patient does not say itself.
    func applied(to profile: RecordProfile) throws -> RecordProfile {
        var result = profile
        let names = Set(members.map(\.name))
        let native = NativeDocument.profile(profile).members.filter { !names.contains($0.name) }
        let object = try NativeObject(.object(native + members.filter { $0.value != .null }))
        result.values = try object.values(of: profile.fields)
        result.inferred = try object.inferred()
        result.extra = try object.extra(known: Set(profile.fields.map(\.name)).union(["inferred", "extra"]))
        return result
    }

    /// Reads the residue of a resource; nil if it has none.
    init?(of resource: FHIRElement) throws {
        guard let item = try FHIRExtension.own(FHIRExtension.residue, of: resource),
            let text = try item.text("valueString")
        else { return nil }
        guard case .object(var members)? = try? JSONReader.read(Array(text.utf8)) else {
            throw ModelError(.invalid, field: item.path.field, "is not what a journal wrote")
        }
        if let index = members.firstIndex(where: { $0.name == Self.kindName }) {
            guard case .string(let name) = members[index].value, let kind = Kind.named(name) else {
                throw ModelError(.invalid, field: item.path.field, "names a kind of entry that does not exist")
            }
            self.kind = kind
            members.remove(at: index)
        }
        self.members = members
    }

    var json: JSONValue {
        let head = kind.map { [JSONValue.Member(Self.kindName, .string($0.name))] } ?? []
        return FHIR.ownExtension(FHIRExtension.residue, "String", .string(JSONWriter.text(.object(head + members))))
    }

    /// Whether the extra fields are part of the residue, among them the kept text.
    var setsExtra: Bool { members.contains { $0.name == "extra" } }

    /// Returns the meaning of a resource with what it does not say itself.
    func applied(to meaning: FHIRMeaning) throws -> FHIRMeaning {
        var result = FHIRMeaning(kind ?? meaning.content.kind)
        let names = Set(members.map(\.name))
        // The residue of another kind is the whole entry.
        let said = kind == nil ? NativeDocument.members(of: meaning.content).filter { !names.contains($0.name) } : []
        let native = said + members.filter { $0.value != .null }
        result.content = try NativeObject(.object(native)).decodeContent(of: result.content.kind)
        result.file = meaning.file
        return result
    }
}
