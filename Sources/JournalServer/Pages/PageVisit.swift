import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import JournalPages

/// As of when a page is asked for.
struct MomentQuery {
    let asOf: AsOf?
    let happenedBy: Day?

    static let names = ["asOf", "happenedBy"]
    static let now = MomentQuery(asOf: nil, happenedBy: nil)

    /// A field that was left empty asks for nothing.
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

extension AccessRight {
    var isEmergency: Bool { if case .emergency = self { true } else { false } }
}

extension Pages {
    /// What stands at the top of a page of a record that somebody was shown.
    func head(
        _ answer: RecordAnswer,
        at place: RecordHead.Place,
        _ reader: Reader,
        _ moment: MomentQuery = .now
    ) -> RecordHead {
        let right: String? =
            switch answer.right {
            case .owner, .role: nil
            case .grant: words["rightGrant", reader.sections(answer.sections)]
            case .emergency: words["rightEmergency"]
            }
        return RecordHead(
            answer.state,
            at: place,
            isOwner: answer.right == .owner,
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

    /// What stands at the top of a page that shows something else of a record than its entries.
    ///
    /// Of some kinds, for whoever is let in to those alone.
    func frame(
        _ record: UUID,
        at place: RecordHead.Place = .overview,
        moment: MomentQuery = .now,
        kinds: [Kind]? = nil,
        _ reader: Reader,
        _ context: ServerContext
    ) async throws -> RecordHead {
        let options = ReadOptions(
            asOf: moment.asOf,
            happenedBy: moment.happenedBy,
            kinds: kinds,
            page: .newest(0)
        )
        let answer = try await journal.read(record, options, as: .list, context.requireCaller())
        return head(answer, at: place, reader, moment)
    }
}
