import FoundationEssentials
import HealthModel

/// A bundle without its resources: the data needed to write the imported document again.
struct FHIREnvelope {
    static let type = "Bundle"
    private static let bundleName = FHIRKept.prefix + "bundle"
    private static let itemsName = FHIRKept.prefix + "items"
    /// The maximum number of items of one entry, so that none of its extra fields is too long.
    private static let maximumItems = 2_000
    /// The maximum number of extra fields of items of one entry.
    private static let maximumLists = 50

    /// One entry of the bundle: the journal's entry that contains its resource, and the members around the resource.
    struct Item {
        let entry: UUID
        let around: JSONValue?
    }

    var bundle: JSONValue
    var items: [Item]

    /// The entries that keep the envelope; a long one has several, each with a part of the items.
    func entries(_ namespace: UUID, source: String) -> [ImportedEntry] {
        let whole = UUID(nameBased: namespace, "fhir bundle\n" + items.map(\.entry.text).joined())
        let size = Self.maximumItems * Self.maximumLists
        return stride(from: 0, to: max(items.count, 1), by: size)
            .map { start in
                var content = EntryContent(kind: Foreign.kind)
                content.body[Foreign.resourceType] = .text(Self.type)
                let kind = if case .string(let text)? = bundle["type"] { text } else { "" }
                content.body[Foreign.title] = .text(String(kind.prefix(100)))
                content.body[Foreign.source] = .text(source)
                content.body[Foreign.reference] = .text("\(whole.text)/\(start / size)")
                content.extra = [Extra(name: Self.bundleName, json: JSONWriter.text(bundle))]
                let part = items[start..<min(start + size, items.count)]
                for from in stride(from: part.startIndex, to: part.endIndex, by: Self.maximumItems) {
                    let list = part[from..<min(from + Self.maximumItems, part.endIndex)].map(Self.json)
                    let number = (from - part.startIndex) / Self.maximumItems
                    content.extra.append(
                        Extra(
                            name: Self.itemsName + (number == 0 ? "" : ".\(number)"),
                            json: JSONWriter.text(.array(list))
                        )
                    )
                }
                return ImportedEntry(id: UUID(nameBased: whole, "\(start)"), content: content, path: "entry")
            }
    }

    /// Whether an entry keeps an envelope, or a part of one.
    static func isEnvelope(_ content: EntryContent) -> Bool {
        content.kind == Foreign.kind && content.body.text(Foreign.resourceType) == type
            && content.extra.contains { $0.name == bundleName }
    }

    private static func json(_ item: Item) -> JSONValue {
        .present(["entry": .string(item.entry.text), "around": item.around])
    }

    /// Reads the envelope, or the part of one, that an entry keeps; nil for another entry.
    init?(_ content: EntryContent) {
        guard Self.isEnvelope(content), let item = content.extra.first(where: { $0.name == Self.bundleName }),
            let bundle = try? JSONReader.read(Array(item.json.utf8))
        else { return nil }
        self.bundle = bundle
        items = []
        for list in content.extra where list.name.hasPrefix(Self.itemsName) {
            guard case .array(let values)? = try? JSONReader.read(Array(list.json.utf8)) else { return nil }
            for value in values {
                guard case .string(let text)? = value["entry"], let id = UUID(uuidString: text) else { return nil }
                items.append(Item(entry: id, around: value["around"]))
            }
        }
    }

    init(bundle: JSONValue, items: [Item]) {
        (self.bundle, self.items) = (bundle, items)
    }
}
