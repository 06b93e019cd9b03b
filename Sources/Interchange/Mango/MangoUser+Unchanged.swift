import FoundationEssentials
package import HealthModel

extension MangoUser {
    /// Removes what the journal would write as the document has it, and returns the number of entries removed.
    ///
    /// A document states only the last dose of each time of day, and the journal's own changes as if they were the
    /// source's. Therefore reading an export does not return what the journal contains, and comparing what the journal
    /// would write with the document does. `opening` are the user's members before the collections.
    package mutating func removeUnchanged(
        from known: RecordState,
        _ writer: MangoWriter,
        opening: [JSONValue.Member]
    ) -> Int {
        if MangoUser.opening(of: opening) == self.opening { record.profile = known.profile }
        var unchanged: Set<UUID> = []
        for entry in known.entries where !entry.isRetracted {
            guard let original = documents[entry.id], let member = writer.document(entry),
                member.name == original.document.name,
                member.value.withSortedMembers == original.document.value
            else { continue }
            unchanged.formUnion([entry.id] + original.doses)
        }
        let count = record.entries.count
        record.entries.removeAll { unchanged.contains($0.id) }
        return count - record.entries.count
    }

    /// The members of a user without the collections, in one order.
    static func opening(of members: [JSONValue.Member]) -> JSONValue {
        let names = Set(MangoCollection.all.map(\.name))
        return JSONValue.object(members.filter { !names.contains($0.name) }).withSortedMembers
    }
}

/// A document of a collection, with the members of objects in one order, and the doses that were read from it.
struct MangoOriginal: Hashable {
    var document: JSONValue.Member
    var doses: [UUID]
}
