internal import HealthModel

/// The page of a record's costs, by year and category.
package struct CostsPage: WebPage {
    package static let template = Template(PackageResources.chart_mustache)

    package let head: RecordHead
    package let heading: String
    package let addAddress: String?
    package let addLabel: String
    package let choices: [ChartContent.Choice] = []
    package let choicesLabel = ""
    package let charts: [ChartContent.Chart]
    package let tables: [ChartContent.Table]
    package let isEmpty: Bool
    package let note: String?
    /// Costs are shown by year, and all of them.
    package let period: PeriodFilter? = nil
    package let emptyNote: String
    /// Hides the "happened up to" filter: a yearly total has no other date.
    package let isOfPeople = true

    /// The amount of one category in a year, or the sum of all categories.
    package struct Line: Sendable {
        let year: Int64
        let currency: String?
        let basis: String
        let category: String?
        let isSum: Bool
        let amount: String
        let count: Int

        package init(
            year: Int64,
            currency: String?,
            basis: String,
            category: String?,
            isSum: Bool,
            amount: String,
            count: Int
        ) {
            (self.year, self.currency, self.basis, self.category) = (year, currency, basis, category)
            (self.isSum, self.amount, self.count) = (isSum, amount, count)
        }
    }

    package init(_ head: RecordHead, _ lines: [Line], mayAdd: Bool, _ reader: Reader) {
        let words = reader.words
        self.head = head
        emptyNote = reader.words["nothingHere"]
        heading = words["costsHeading"]
        addAddress = mayAdd && !head.moment.isPast ? "\(head.address)/entries/\(Cost.kind.name)/new" : nil
        addLabel = words["addTo", words.label(Cost.kind.label)]
        isEmpty = lines.isEmpty
        charts = CostsPage.charts(lines, reader)
        let rows = lines.map { line in
            let category = line.isSum ? words["allCategories"] : line.category ?? words["noCategory"]
            return ChartContent.Row(
                cells: [
                    ChartContent.Cell(String(line.year)),
                    ChartContent.Cell(words["basis.\(line.basis)"]),
                    ChartContent.Cell(category),
                    ChartContent.Cell(reader.amount(line.amount, line.currency), isNumber: true),
                    ChartContent.Cell(reader.number(line.count), isNumber: true),
                ],
                isSum: line.isSum
            )
        }
        tables =
            lines.isEmpty
            ? []
            : [
                ChartContent.Table(
                    title: words["costsTable"],
                    columns: [
                        ChartContent.Column(words["year"]), ChartContent.Column(words["basis"]),
                        ChartContent.Column(words["category"]),
                        ChartContent.Column(words["costAmount"], isNumber: true),
                        ChartContent.Column(words["entries"], isNumber: true),
                    ],
                    rows: rows,
                    isOpen: true,
                    moreAddress: nil
                )
            ]
        note = lines.isEmpty ? nil : words["costsNote"]
    }

    /// Returns one chart for each currency and basis, because their amounts must not be added up.
    private static func charts(_ lines: [Line], _ reader: Reader) -> [ChartContent.Chart] {
        struct Group: Hashable {
            let currency: String?
            let basis: String
        }
        let words = reader.words
        let groups = Dictionary(grouping: lines) { Group(currency: $0.currency, basis: $0.basis) }
        let ordered = groups.sorted { ($0.key.currency ?? "", $0.key.basis) < ($1.key.currency ?? "", $1.key.basis) }
        return ordered.compactMap { group, lines in
            // Amounts without a currency may be of different currencies.
            guard let currency = group.currency else { return nil }
            let years = Dictionary(grouping: lines, by: \.year).sorted { $0.key < $1.key }
                .map { year, lines in
                    let parts = lines.filter { !$0.isSum }
                    let total = lines.first(where: \.isSum) ?? parts.first
                    return CostChart.Year(
                        year: year,
                        parts: parts.map { line in
                            (
                                line.category ?? words["noCategory"], Double(line.amount) ?? 0,
                                reader.amount(line.amount, currency)
                            )
                        },
                        description: total.map { reader.amount($0.amount, currency) } ?? ""
                    )
                }
            let description = years.map { "\($0.year) \($0.description)" }.joined(separator: ", ")
            return CostChart(years: years).svg(words["costsDescription", currency, description])
                .map { svg in
                    let legend = years.contains { $0.parts.count > 1 } ? words["costsLegend"] : nil
                    let caption = words["costsCaption", words["basis.\(group.basis)"], currency]
                    return ChartContent.Chart(caption: caption, svg: svg, legend: legend)
                }
        }
    }
}
