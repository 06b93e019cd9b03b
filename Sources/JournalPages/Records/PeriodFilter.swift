internal import FoundationEssentials
package import HealthModel

/// The days whose entries a page shows: links to usual ones, and a form for others.
package struct PeriodFilter: Sendable {
    package let choices: [ChartContent.Choice]
    package let fields: [FormField]
    /// The address of the page without a query, to which the form leads.
    package let action: String
    /// What else the form must send, so that the page shows the same otherwise.
    package let kept: [Kept]
    /// Whether the days are none of the usual ones, so that the form is shown.
    package let isOther: Bool
    /// The query of the days, to which others are appended; empty for all days.
    package let query: String

    package struct Kept: Sendable {
        package let name: String
        package let value: String
    }

    /// The days as they were given: each a day, a month or a year; empty for none.
    package struct Typed: Hashable, Sendable {
        package var from: String
        package var until: String

        package init(from: String = "", until: String = "") {
            (self.from, self.until) = (from, until)
        }

        fileprivate var query: String {
            [("from", from), ("until", until)].filter { !$0.1.isEmpty }.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
        }
    }

    /// `kept` are the other parameters of the page.
    package init(
        _ typed: Typed,
        of address: String,
        keeping kept: [(name: String, value: String)],
        today: Day,
        _ reader: Reader
    ) {
        let words = reader.words
        let (thisYear, lastYear) = (String(today.year), String(today.year - 1))
        let usual: [(label: String, days: Typed)] = [
            (words["allDays"], Typed()),
            (words["lastDays"], Typed(from: today.adding(days: -30).description, until: "")),
            (thisYear, Typed(from: thisYear, until: thisYear)), (lastYear, Typed(from: lastYear, until: lastYear)),
        ]
        let others = kept.map { "\($0.name)=\($0.value)" }
        choices = usual.map { label, days in
            let query = (others + [days.query]).filter { !$0.isEmpty }.joined(separator: "&")
            return ChartContent.Choice(
                address: query.isEmpty ? address : "\(address)?\(query)",
                label: label,
                isCurrent: days == typed
            )
        }
        isOther = !usual.contains { $0.days == typed }
        action = address
        self.kept = kept.map { Kept(name: $0.name, value: $0.value) }
        query = typed.query
        var from = FormField("from", words["from"], .line, value: typed.from)
        from.hint = words["hint.type.partialDate"]
        fields = [from, FormField("until", words["until"], .line, value: typed.until)]
    }
}
