import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import JournalPages

/// The point in time for which a page is requested.
struct MomentQuery {
    let asOf: AsOf?
    let happenedBy: Day?

    static let names = ["asOf", "happenedBy"]
    static let now = MomentQuery(asOf: nil, happenedBy: nil)

    /// An empty parameter counts as missing.
    init(_ query: Query) throws {
        asOf =
            try query.value("asOf") { text throws(ModelError) in text.isEmpty ? nil : try AsOf(parsing: text) } ?? nil
        happenedBy =
            try query.value("happenedBy") { text throws(ModelError) in text.isEmpty ? nil : try Day(parsing: text) }
            ?? nil
    }

    init(asOf: AsOf?, happenedBy: Day?) {
        (self.asOf, self.happenedBy) = (asOf, happenedBy)
    }
}

/// The days whose entries a page shows, each given as a day, a month or a year.
struct PeriodQuery {
    static let names = ["from", "until"]

    let typed: PeriodFilter.Typed
    let period: Period

    /// An empty parameter counts as missing.
    init(_ query: Query) throws {
        func date(_ name: String) throws -> PartialDate? {
            try query.value(name) { text throws(ModelError) in text.isEmpty ? nil : try PartialDate(parsing: text) }
                ?? nil
        }
        let (from, until) = (try date("from"), try date("until"))
        typed = PeriodFilter.Typed(from: from?.description ?? "", until: until?.description ?? "")
        period = Period(from: from, until: until)
        do { try period.check(field: "until") } catch { throw JournalError(error) }
    }
}

extension AccessRight {
    var isEmergency: Bool { if case .emergency = self { true } else { false } }
}

extension Pages {
    /// Builds the head of a record's page from an answer that the caller was given.
    func head(
        _ answer: RecordAnswer,
        at place: RecordHead.Place,
        _ reader: Reader,
        _ moment: MomentQuery = .now
    ) -> RecordHead {
        let right: String? =
            switch answer.right {
            case .owner, .role: nil
            case .practice(let practice):
                reader.words[answer.state.owners.contains(practice) ? "rightCustodian" : "rightPractice"]
            case .grant: reader.words["rightGrant", reader.sections(answer.sections)]
            case .emergency: reader.words["rightEmergency"]
            }
        return RecordHead(
            answer.state,
            at: place,
            mayEdit: answer.mayEdit,
            mayManage: answer.mayManage,
            isEmergency: answer.right.isEmergency,
            right: right,
            sees: answer.kinds,
            moment: Moment(
                asOf: moment.asOf,
                stamp: answer.asOf,
                happenedBy: moment.happenedBy,
                today: journal.today,
                day: journal.day(of:),
                reader
            ),
            today: journal.today,
            reader
        )
    }
}

extension PeriodQuery {
    /// Returns what to read of the entries that happened in the period, and by the day that the moment names.
    func options(
        _ moment: MomentQuery,
        kinds: [Kind],
        includesRetracted: Bool = false,
        page: Page
    ) -> ReadOptions {
        ReadOptions(
            asOf: moment.asOf,
            happenedFrom: period.first,
            happenedBy: [period.last, moment.happenedBy].compactMap(\.self).min(),
            kinds: kinds,
            includesRetracted: includesRetracted,
            page: page
        )
    }
}
