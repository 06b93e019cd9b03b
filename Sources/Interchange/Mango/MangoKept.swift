import FoundationEssentials
import HealthModel

/// A member of a source that the writer would not reproduce, with what the writer would write instead.
///
/// It is stored among the extra fields. The original is written again as long as the writer would still write the same,
/// so that an outdated original never hides a value that was changed here. Nil means an absent member. The order of
/// the members of objects is not kept, so that a document in another order changes nothing.
struct MangoKept {
    static let prefix = "$mango."

    let name: String
    let rendered: JSONValue?
    let source: JSONValue?

    init(_ name: String, rendered: JSONValue?, source: JSONValue?) {
        self.name = name
        self.rendered = rendered?.withSortedMembers
        self.source = source?.withSortedMembers
    }

    /// Decodes an extra field; nil if it is not a kept original.
    init?(_ extra: Extra) {
        guard extra.name.hasPrefix(Self.prefix), let json = try? JSONReader.read(Array(extra.json.utf8)),
            case .object = json
        else { return nil }
        self.init(String(extra.name.dropFirst(Self.prefix.count)), rendered: json["rendered"], source: json["source"])
    }

    var extra: Extra {
        let json = JSONValue.present(["rendered": rendered, "source": source])
        return Extra(name: Self.prefix + name, json: JSONWriter.text(json, .compact))
    }

    /// Returns what must be stored so that ``restored(_:from:)`` returns the members of the source.
    ///
    /// A member that the format does not define is stored under its own name.
    static func extra(of source: [JSONValue.Member], rendered: [JSONValue.Member], defined: Set<String>) -> [Extra] {
        let names = Set(source.map(\.name))
        let values = Dictionary(rendered.map { ($0.name, $0.value) }) { first, _ in first }
        let differing = source.compactMap { member -> Extra? in
            if defined.contains(member.name) || member.name.hasPrefix("$") || values[member.name] != nil {
                return values[member.name]?.withSortedMembers == member.value.withSortedMembers
                    ? nil : MangoKept(member.name, rendered: values[member.name], source: member.value).extra
            }
            return Extra(name: member.name, json: JSONWriter.text(member.value.withSortedMembers, .compact))
        }
        let absent = rendered.filter { !names.contains($0.name) }
            .map { MangoKept($0.name, rendered: $0.value, source: nil).extra }
        return differing + absent
    }

    /// Returns the members of the source if what the writer writes for them has not changed since.
    ///
    /// `ignoring` are kept values that the caller handles itself. Of the items of a list that has changed, what the
    /// source says about each is restored as well; `entry` is the entry that has the list.
    static func restored(
        _ rendered: [JSONValue.Member],
        from extra: [Extra],
        of entry: UUID? = nil,
        ignoring: Set<String> = []
    ) -> [JSONValue.Member] {
        let kept = Dictionary(
            extra.compactMap(MangoKept.init).filter { !ignoring.contains($0.name) }.map { ($0.name, $0) }
        ) { first, _ in first }
        var members = rendered.compactMap { member -> JSONValue.Member? in
            guard let kept = kept[member.name] else { return member }
            guard kept.rendered == member.value.withSortedMembers else {
                return .init(member.name, kept.restoringItems(of: member.value, in: entry))
            }
            return kept.source.map { .init(member.name, $0) }
        }
        let names = Set(rendered.map(\.name))
        members += kept.values.filter { $0.rendered == nil && !names.contains($0.name) }
            .sorted { $0.name < $1.name }
            .compactMap { kept in kept.source.map { .init(kept.name, $0) } }
        let written = Set(members.map(\.name))
        // A name that begins with $ is one of the journal's own, such as those of kept originals.
        return members
            + extra
            .filter {
                !$0.name.hasPrefix("$") && !written.contains($0.name) && kept[$0.name] == nil
                    && !ignoring.contains($0.name)
            }
            .compactMap { item in (try? JSONReader.read(Array(item.json.utf8))).map { .init(item.name, $0) } }
    }
}

extension JSONValue {
    /// The value with the members of all objects in the order of their names.
    var withSortedMembers: JSONValue {
        switch self {
        case .object(let members):
            .object(members.map { .init($0.name, $0.value.withSortedMembers) }.sorted { $0.name < $1.name })
        case .array(let items): .array(items.map(\.withSortedMembers))
        default: self
        }
    }
}
