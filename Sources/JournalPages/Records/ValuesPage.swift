package import HealthModel

/// The page of the newest value of each name, with the direction of those before it.
package struct ValuesPage: WebPage {
    package static let template = Template("values")
    /// The maximum number of entries of each kind that the page shows.
    package static let entries = 500

    package let head: RecordHead
    package let trends: [ValueTrend]
    package let isEmpty: Bool
    package let adds: [Link]
    package let hasAdds: Bool
    /// The lists of all entries of each kind.
    package let lists: [Link]

    package struct Link: Sendable {
        package let address: String
        package let label: String

        /// Leads to the form of several laboratory results.
        static func results(_ head: RecordHead, _ reader: Reader) -> Link {
            Link(address: "\(head.address)/results/new", label: reader.words["addResults"])
        }
    }

    package init(_ head: RecordHead, _ state: RecordState, sees: Set<Kind>, mayAdd: Set<Kind>, _ reader: Reader) {
        self.head = head
        let words = reader.words
        trends = ValueTrend.all(of: state.entries, at: head.address, query: head.moment.query, reader)
        isEmpty = trends.isEmpty
        let kinds = Kind.values.filter(mayAdd.contains)
            .map { kind in
                Link(
                    address: AddPage.address(of: kind, at: head.address),
                    label: words["addTo", words.label(kind.label)]
                )
            }
        let several = mayAdd.contains(Blood.kind) ? [Link.results(head, reader)] : []
        adds = head.moment.isPast ? [] : kinds + several
        hasAdds = !adds.isEmpty
        lists = Kind.values.filter(sees.contains)
            .map { kind in
                Link(
                    address: "\(head.address)/entries/\(kind.name)\(head.moment.query)",
                    label: words.label(kind.plural)
                )
            }
    }
}
