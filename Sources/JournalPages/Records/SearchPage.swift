internal import HealthModel

/// The page that searches all records that the reader may see.
///
/// The words are sent with a form, and the address of the answer contains them sealed.
package struct SearchPage: WebPage {
    package static let template = Template("search")

    package let fields: [FormField]
    /// The fields that limit the search to a kind and to some days.
    package let limits: [FormField]
    /// Whether one of these has a value.
    package let isNarrowed: Bool
    package let problem: String?
    /// The searched words, and whether they were found as typed; nil before a search.
    package let summary: String?
    package let records: [Item]
    package let entries: [EntryLine]
    package let hasRecords: Bool
    package let hasEntries: Bool
    /// The address of the page with more entries.
    package let moreAddress: String?

    package struct Item: Sendable {
        package let address: String
        package let name: String

        package init(address: String, name: String) {
            (self.address, self.name) = (address, name)
        }
    }

    /// The typed values.
    package struct Typed: Hashable, Codable, Sendable {
        package var words = ""
        package var kind = ""
        package var from = ""
        package var until = ""
        /// The number of entries that are shown.
        package var limit = 50

        package init() {}
    }

    /// A search with its answer.
    package struct Found: Sendable {
        package var records: [Item]
        package var entries: [EntryLine]
        package var count: Int
        package var isNear: Bool
        package var searched: Int
        package var moreAddress: String?

        package init(
            records: [Item],
            entries: [EntryLine],
            count: Int,
            isNear: Bool,
            searched: Int,
            moreAddress: String?
        ) {
            (self.records, self.entries, self.count) = (records, entries, count)
            (self.isNear, self.searched, self.moreAddress) = (isNear, searched, moreAddress)
        }
    }

    /// `found` is nil before a search.
    package init(
        _ typed: Typed,
        found: Found? = nil,
        problems: [String: String] = [:],
        problem: String? = nil,
        _ reader: Reader
    ) {
        let words = reader.words
        var text = FormField("words", words["searchWords"], .line, value: typed.words, problem: problems["words"])
        text.hint = words["hint.searchWords"]
        fields = [text]
        limits = SearchPage.limits(typed, problems, words)
        isNarrowed = limits.contains { !$0.value.isEmpty || $0.problem != nil }
        self.problem = problem
        records = found?.records ?? []
        entries = found?.entries ?? []
        hasRecords = !records.isEmpty
        hasEntries = !entries.isEmpty
        moreAddress = found?.moreAddress
        let isNarrowed = isNarrowed
        summary = found.map { SearchPage.summary($0, isNarrowed: isNarrowed, reader) }
    }

    private static func limits(_ typed: Typed, _ problems: [String: String], _ words: Words) -> [FormField] {
        var kind = FormField("kind", words["type"], .choice, value: typed.kind, problem: problems["kind"])
        kind.options =
            [FormOption("", words["allKinds"], isChosen: typed.kind.isEmpty)]
            + Kind.all.map { FormOption($0.name, words.label($0.plural), isChosen: $0.name == typed.kind) }
        var from = FormField("from", words["from"], .line, value: typed.from, problem: problems["from"])
        from.hint = words["hint.type.partialDate"]
        let until = FormField("until", words["until"], .line, value: typed.until, problem: problems["until"])
        return [kind, from, until]
    }

    private static func summary(_ found: Found, isNarrowed: Bool, _ reader: Reader) -> String {
        let words = reader.words
        guard found.searched > 0 else { return words["noRecordsForYou"] }
        guard !found.records.isEmpty || found.count > 0 else {
            let nothing = words.count(found.searched, "searchedInVain", reader.number(found.searched))
            return isNarrowed ? nothing + " " + words["searchIsNarrowed"] : nothing
        }
        let shown =
            found.count > found.entries.count
            ? words["foundMany", reader.number(found.entries.count), reader.number(found.count)]
            : words.count(found.count, "foundEntries", reader.number(found.count))
        return found.isNear ? words["foundSimilar"] + " " + shown : shown
    }
}
