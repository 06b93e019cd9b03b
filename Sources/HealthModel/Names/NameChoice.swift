/// What a person means by a name, among the names of some items.
package enum NameChoice: Hashable, Sendable {
    /// The index of the only item that has the name, and whether all words that were given are whole words of it.
    case one(Int, isWhole: Bool)
    /// Several items have it.
    case several([Int])
    /// None has it; these may be meant, if there is a typing error.
    case similar([Int])

    /// Chooses the items that have the whole name or, if there are none, those with a word that begins with it.
    ///
    /// Case and accents do not count.
    package init(_ name: String, among names: [String]) {
        let (folded, query) = (FoldedName(name), NameQuery(name))
        var found = folded.isEmpty ? [] : names.indices.filter { FoldedName(names[$0]) == folded }
        let index = NameIndex(names.map { [$0] })
        if found.isEmpty { found = index.matches(query, mistyped: false, limit: .max).map(\.item) }
        switch found.count {
        case 0:
            let isLong = query.allowsError
            self = .similar(isLong ? index.matches(query, mistyped: true, limit: .max).map(\.item) : [])
        case 1:
            let words = " \(FoldedName(names[found[0]]).text) "
            self = .one(found[0], isWhole: words.contains(" \(folded.text) "))
        default: self = .several(found)
        }
    }
}
