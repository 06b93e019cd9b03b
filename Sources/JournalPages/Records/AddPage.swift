package import HealthModel

/// The page that offers the kinds of entries that the reader may add, those first that the record has most of.
package struct AddPage: WebPage {
    package static let template = Template("add")
    /// How many kinds are offered before the others.
    private static let frequent = 6

    package let head: RecordHead
    package let often: [ValuesPage.Link]
    package let others: [ValuesPage.Link]
    package let hasOthers: Bool

    /// `counts` are the numbers of entries of each kind.
    package init(_ head: RecordHead, mayAdd: Set<Kind>, counts: [Kind: Int], _ reader: Reader) {
        self.head = head
        let words = reader.words
        func link(_ kind: Kind) -> ValuesPage.Link {
            ValuesPage.Link(address: AddPage.address(of: kind, at: head.address), label: words.label(kind.label))
        }
        // Doses and stock are recorded where they are shown.
        let offered = Kind.all.filter { mayAdd.contains($0) && $0 != Dose.kind && $0 != Supply.kind }
        let sorted = offered.enumerated()
            .sorted { left, right in
                let (first, second) = (counts[left.element] ?? 0, counts[right.element] ?? 0)
                return first == second ? left.offset < right.offset : first > second
            }
            .map(\.element)
        often = sorted.prefix(AddPage.frequent).map(link)
        let several = mayAdd.contains(Blood.kind) ? [ValuesPage.Link.results(head, reader)] : []
        others = several + offered.filter { !sorted.prefix(AddPage.frequent).contains($0) }.map(link)
        hasOthers = !others.isEmpty
    }

    /// The page on which an entry of a kind is added to the record with an address.
    static func address(of kind: Kind, at record: String) -> String {
        switch kind {
        case Drug.kind, Supplement.kind: "\(record)/medication/new?kind=\(kind.name)"
        case Symptom.kind: "\(record)/symptoms"
        default: "\(record)/entries/\(kind.name)/new"
        }
    }
}
