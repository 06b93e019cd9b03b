import Crypto
package import HealthModel

/// The text of a resource as it came, kept among the extra fields of its entry.
///
/// It is the whole resource with its order of members and its digits. The bytes of the entry's file are not part of it: a
/// reference to the file replaces them.
struct FHIRKept {
    /// The names of extra fields that are not values of an entry.
    static let prefix = "$fhir."
    private static let resourceName = prefix + "resource"
    private static let addressName = prefix + "fullUrl"
    private static let digestName = prefix + "digest"
    /// Stands where the bytes of the entry's file were, or for the whole resource if the file is its text.
    private static let fileMark = JSONValue.string("urn:healthjournal:file")

    var resource: JSONValue
    /// The address of the resource in its bundle; nil if it had none.
    var address: String?

    init(_ resource: JSONValue, address: String?) {
        (self.resource, self.address) = (resource, address)
    }

    /// Decodes the kept text of an entry; nil for an entry that came from nowhere.
    init?(_ extra: [Extra]) {
        guard let text = Text(extra), let resource = try? JSONReader.read(Array(text.resource.utf8)) else { return nil }
        self.resource = resource
        address = text.address
    }

    /// The text of a resource that is not read, as ``JSONWriter`` wrote it, and its address.
    struct Text {
        let resource: String
        let address: String?

        init?(_ extra: [Extra]) {
            guard let item = extra.first(where: { $0.name == FHIRKept.resourceName }) else { return nil }
            resource = item.json
            let address = extra.first { $0.name == FHIRKept.addressName }
                .flatMap { try? JSONReader.read(Array($0.json.utf8)) }
            self.address = if case .string(let text)? = address { text } else { nil }
        }
    }

    var extra: [Extra] {
        var items = [Extra(name: Self.resourceName, json: JSONWriter.text(resource))]
        if let address { items.append(Extra(name: Self.addressName, json: JSONWriter.text(.string(address)))) }
        return items
    }

    // MARK: - What the text says

    /// Whether the text, read with its context, says all of an entry, as it does unless the entry was corrected: then it needs
    /// no change and no residue.
    func says(_ content: EntryContent, in context: FHIRContext? = nil) -> Bool {
        let element = FHIRElement(value: resource, path: DocumentPath())
        guard let source = try? FHIRSource(element, address: address, around: nil, isDeleted: false),
            var said = try? source.content(in: context ?? FHIRContext(content.extra))
        else { return false }
        said.extra += content.extra.filter { $0.name.hasPrefix(Self.prefix) }
        // The file stays where it was in the text.
        for field in [Document.content, Document.missing] where content.kind == Document.kind {
            said.body[field] = content.body[field]
        }
        return said == content
    }

    /// Returns the content of an entry, with its kept text, with a mark that this text says all of it.
    ///
    /// The mark is a digest of both, and valid only as long as neither of them is changed.
    static func marking(_ content: EntryContent) -> EntryContent {
        var marked = content.withoutMark
        marked.extra.append(Extra(name: digestName, json: digest(of: marked)))
        return marked
    }

    /// Whether the kept text of an entry is known to say all of it.
    ///
    /// If that is not known, ``says(_:)`` finds it out.
    static func saysAll(of content: EntryContent) -> Bool {
        guard let mark = content.extra.first(where: isMark) else { return false }
        return mark.json == digest(of: content)
    }

    /// Whether an entry is as an earlier version of the interpreter made it of its text: what it does not say of the text was
    /// not corrected.
    static func wasUnchanged(_ content: EntryContent) -> Bool {
        guard let mark = content.extra.first(where: isMark) else { return false }
        return (1..<FHIRInterpreter.version).contains { mark.json == digest(of: content, version: $0) }
    }

    /// Whether an extra field is a mark: it says nothing of the entry.
    static func isMark(_ extra: Extra) -> Bool { extra.name == digestName }

    /// The first 64 bits of the SHA-256 of a content without its mark, in hex, as JSON.
    private static func digest(of content: EntryContent, version: Int = FHIRInterpreter.version) -> String {
        var bytes = DigestedBytes()
        bytes.add(version)
        bytes.add(content, except: isMark)
        let start = SHA256.hash(data: bytes.bytes).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return "\"\(String(start, radix: 16))\""
    }

    // MARK: - The file of the entry

    /// Takes the entry's file out of the text, wherever its bytes are.
    mutating func takeOut(_ file: [UInt8]) {
        let data = JSONValue.string(FHIRData.text(file))
        resource = resource.mapping(member: "data") { $0 == data ? Self.fileMark : $0 }
    }

    /// Whether the whole text is the entry's file.
    var isFile: Bool { resource == Self.fileMark }

    /// Takes the whole text out, which is the entry's file then.
    mutating func takeOutAll() { resource = Self.fileMark }

    /// Returns the text with the entry's file put back in its place; without the file, the member is left out.
    ///
    /// Throws what `file` throws, which is called only if the text refers to the file.
    static func putBack(_ resource: JSONValue, _ file: () throws -> [UInt8]?) throws -> JSONValue? {
        if resource == fileMark { return try file().map { try JSONReader.read($0) } }
        return try resource.mapping(member: "data") { value in
            value == fileMark ? try file().map { .string(FHIRData.text($0)) } : value
        }
    }
}

extension JSONValue {
    /// Returns the value with each member of a name, at any depth, replaced; a member whose replacement is nil is left out.
    func mapping(member name: String, _ replace: (JSONValue) throws -> JSONValue?) rethrows -> JSONValue {
        switch self {
        case .array(let items): return .array(try items.map { try $0.mapping(member: name, replace) })
        case .object(let members):
            return .object(
                try members.compactMap { member in
                    if member.name == name { return try replace(member.value).map { Member(name, $0) } }
                    return Member(member.name, try member.value.mapping(member: name, replace))
                }
            )
        default: return self
        }
    }

    /// Returns the value with what differs between two renderings of an entry: only these parts change.
    func patched(from before: JSONValue, to after: JSONValue) -> JSONValue {
        if before == after { return self }
        switch (self, before, after) {
        case (.object(let members), .object, .object(let later)):
            var kept = members.compactMap { member -> Member? in
                guard before[member.name] != after[member.name] else { return member }
                guard let new = after[member.name] else { return nil }
                guard let old = before[member.name] else { return Member(member.name, new) }
                return Member(member.name, member.value.patched(from: old, to: new))
            }
            let names = Set(members.map(\.name))
            kept += later.filter { !names.contains($0.name) && before[$0.name] != $0.value }
            return .object(kept)
        case (.array(let items), .array(let earlier), .array(let later))
        where items.count == earlier.count && items.count == later.count:
            return .array(items.indices.map { items[$0].patched(from: earlier[$0], to: later[$0]) })
        default:
            return after
        }
    }
}

extension EntryContent {
    /// The content without the mark that its kept text says all of it, which only the import of that text can set.
    package var withoutMark: EntryContent {
        var content = self
        content.extra.removeAll(where: FHIRKept.isMark)
        return content
    }
}
