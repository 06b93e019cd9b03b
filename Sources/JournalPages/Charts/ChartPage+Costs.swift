internal import HealthModel

extension ChartPage {
    /// The amount of one category in a year, or the sum of all categories.
    package struct CostLine: Sendable {
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

    /// Returns the page of a record's costs, by year and category.
    package static func costs(_ head: RecordHead, _ lines: [CostLine], mayAdd: Bool, _ reader: Reader) -> ChartPage {
        let words = reader.words
        var page = ChartPage(
            head,
            of: Cost.kind,
            heading: words["costsHeading"],
            adding: mayAdd ? words["addTo", words.label(Cost.kind.label)] : nil,
            reader
        )
        // A yearly total has no other date.
        page.hidesHappenedUpTo = true
        if lines.isEmpty { return page }
        page.isEmpty = false
        page.charts = charts(lines, reader)
        page.tables = [table(lines, reader)]
        page.note = words["costsNote"]
        return page
    }

    private static func table(_ lines: [CostLine], _ reader: Reader) -> ChartContent.Table {
        let words = reader.words
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
        return ChartContent.Table(
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
    }

    /// Returns one chart for each currency and basis, because their amounts must not be added up.
    private static func charts(_ lines: [CostLine], _ reader: Reader) -> [ChartContent.Chart] {
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
