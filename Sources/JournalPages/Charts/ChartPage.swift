internal import HealthModel

/// A page of charts of a record's values over time, with the same numbers as tables.
///
/// It is created by `weights`, `values` or `costs`.
package struct ChartPage: WebPage {
    package static let template = Template("chart")
    /// The maximum number of entries that a page considers.
    package static let entries = 1_000
    /// The maximum number of corrected entries whose earlier values are shown.
    package static let corrections = 50

    package let head: RecordHead
    package let heading: String
    let addAddress: String?
    let addLabel: String
    /// Other units or other series of values that can be shown.
    var choices: [ChartContent.Choice] = []
    var choicesLabel = ""
    var charts: [ChartContent.Chart] = []
    var tables: [ChartContent.Table] = []
    var isEmpty = true
    /// Why nothing is shown.
    var emptyNote: String
    var note: String?
    /// Nil if the page cannot be limited to a period.
    var period: PeriodFilter?
    /// Whether the "happened up to" filter is hidden.
    var hidesHappenedUpTo = false

    /// Creates a page without charts, which offers to add an entry of the kind under the label `adding`; nil if the
    /// reader may not add one.
    init(_ head: RecordHead, of kind: Kind, heading: String, adding label: String?, _ reader: Reader) {
        self.head = head
        self.heading = heading
        addAddress = label == nil || head.moment.isPast ? nil : "\(head.address)/entries/\(kind.name)/new"
        addLabel = label ?? ""
        emptyNote = reader.words["nothingHere"]
    }

    /// Says of an empty page that nothing is in the period, if it is limited to one.
    mutating func limit(to period: PeriodFilter, _ typed: PeriodFilter.Typed, _ reader: Reader) {
        self.period = period
        if typed != PeriodFilter.Typed() { emptyNote = reader.words["nothingInPeriod"] }
    }
}
