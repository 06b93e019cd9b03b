import FoundationEssentials
import HealthModel

extension MangoKept {
    /// An item of a list as the writer wrote it when the document was imported, and as the source has it.
    private typealias Item = (rendered: JSONValue, source: JSONValue)

    /// What marks a time of a schedule as taken or skipped; one of these says nothing without the others.
    private static let marks: Set<String> = ["isCompleted", "completedAt", "skipped", "skippedReason"]

    /// Returns a list that has changed since the import, with what the source says about each of its items.
    ///
    /// The id of an item is the source's, also if the item has changed: in the journal it may have another.
    func restoringItems(of value: JSONValue, in entry: UUID?) -> JSONValue {
        guard let entry, case .array(let items) = value else { return value }
        let kept = self.items(of: entry)
        var sources: [Int: Int] = [:]
        var free = Set(kept.indices)
        func take(_ index: Int, _ found: Int?) {
            guard let found, free.remove(found) != nil else { return }
            sources[index] = found
        }
        for (index, item) in items.enumerated() {
            let id = item["id"]
            let found = kept.indices.first { place in
                free.contains(place)
                    && (id == nil ? kept[place].rendered == item.withSortedMembers : kept[place].rendered["id"] == id)
            }
            take(index, found)
        }
        // An item without an id that has changed is recognized by its place.
        for (index, item) in items.enumerated() where sources[index] == nil && item["id"] == nil {
            take(index, kept.indices.contains(index) && kept[index].rendered["id"] == nil ? index : nil)
        }
        return .array(
            items.enumerated().map { index, item in sources[index].map { Self.restored(item, from: kept[$0]) } ?? item }
        )
    }

    private static func restored(_ item: JSONValue, from kept: Item) -> JSONValue {
        guard case .object(let members) = item, case .object(var rendered) = kept.rendered,
            case .object(var source) = kept.source
        else { return item }
        if marks.contains(where: { item[$0] != kept.rendered[$0] }) {
            rendered.removeAll { marks.contains($0.name) }
            source.removeAll { marks.contains($0.name) }
        }
        return .object(restored(members, from: extra(of: source, rendered: rendered, defined: [])))
    }

    /// The items at the import, each with the one of the source from which it came.
    private func items(of entry: UUID) -> [Item] {
        guard case .array(let rendered)? = rendered, case .array(let source)? = source else { return [] }
        guard name == "schedule" else {
            // The reader may have left out items of the source; then it is not known which.
            return rendered.count == source.count ? zip(rendered, source).map { ($0, $1) } : []
        }
        // The times of a plan are in the order of its rules.
        let objects = source.compactMap { try? MangoObject($0, at: DocumentPath()) }
        guard objects.count == source.count, let timed = try? MangoPlanReader.timed(objects, of: entry) else {
            return []
        }
        return timed.compactMap { time -> Item? in
            guard let known = rendered.first(where: { $0["id"] == .string(time.id.text) }) else { return nil }
            return (known, .object(time.item.members))
        }
    }
}
