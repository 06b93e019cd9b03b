package import FoundationEssentials
package import HealthModel

/// The page of the accesses to a record, by person and visit, latest first.
package struct AccessPage: WebPage {
    package static let template = Template("access")
    /// The maximum number of accesses that are shown.
    package static let looks = 100

    package let head: RecordHead
    /// A notice that only the accesses of one account are shown; nil for all accounts.
    package let of: String?
    /// A notice that only accesses to one entry are shown; nil for all entries.
    package let ofEntry: String?
    package let isEmpty: Bool
    package let visits: [Visit]
    package let olderAddress: String?

    /// The consecutive reads, or refused accesses, of one account within a period.
    package struct Visit: Sendable {
        package let who: String
        package let when: String
        package let iso: String
        package let isDenied: Bool
        package let looks: [Look]
        package let positions: [Position]
    }

    /// One kind of read, made once or several times.
    package struct Look: Sendable {
        package let what: String
        package let detail: String?
        /// The number of reads, in words; nil for one.
        package let times: String?
    }

    package struct Position: Sendable {
        package let position: UInt64
        package let address: String
    }

    /// Creates the page from at most `AccessPage.looks` accesses, plus one if there are older ones.
    package init(
        _ head: RecordHead,
        _ found: [RecordedEvent],
        of account: (id: String, name: String)?,
        showing entry: UUID? = nil,
        _ names: Names,
        _ reader: Reader
    ) {
        self.head = head
        of = account.map { reader.words["accessOf", $0.name] }
        ofEntry = entry.map { _ in reader.words["accessOfEntry"] }
        isEmpty = found.isEmpty
        visits = AccessPage.visits(Array(found.prefix(AccessPage.looks)))
            .map { events in
                let (last, first) = (events[0].stamp, events[events.count - 1].stamp)
                let shown = events.map { ShownEvent($0, head, names, reader) }
                let isShort = last.recordedAt.microseconds - first.recordedAt.microseconds < 60_000_000
                return Visit(
                    who: names[last.actor, reader],
                    when: isShort
                        ? reader.moment(last.recordedAt)
                        : reader.words["fromTo", reader.moment(first.recordedAt), reader.moment(last.recordedAt)],
                    iso: last.recordedAt.description,
                    isDenied: events[0].isDenied,
                    looks: AccessPage.looks(shown, reader),
                    positions: shown.map { Position(position: $0.position, address: $0.proofAddress ?? "") }
                )
            }
        let filter =
            (account.map { "&account=\($0.id)" } ?? "") + (entry.map { "&entry=\($0.text)" } ?? "")
        olderAddress =
            found.count > AccessPage.looks
            ? "before=\(found[AccessPage.looks - 1].stamp.position)\(filter)" : nil
    }

    /// Groups consecutive accesses of one account that are less than half an hour apart; refused ones are grouped
    /// separately.
    private static func visits(_ events: [RecordedEvent]) -> [[RecordedEvent]] {
        var visits: [[RecordedEvent]] = []
        for event in events {
            if let last = visits.last?.last, last.stamp.actor == event.stamp.actor, last.isDenied == event.isDenied,
                last.stamp.recordedAt.microseconds - event.stamp.recordedAt.microseconds < pause
            {
                visits[visits.count - 1].append(event)
            } else {
                visits.append([event])
            }
        }
        return visits
    }

    /// Half an hour, in microseconds.
    private static let pause: Int64 = 30 * 60 * 1_000_000

    private static func looks(_ events: [ShownEvent], _ reader: Reader) -> [Look] {
        var order: [String] = []
        var shown: [String: [ShownEvent]] = [:]
        for event in events {
            let key = "\(event.what)\u{0}\(event.detail ?? "")"
            if shown[key] == nil { order.append(key) }
            shown[key, default: []].append(event)
        }
        return order.compactMap { key in
            guard let same = shown[key], let first = same.first else { return nil }
            return Look(
                what: first.what,
                detail: first.detail,
                times: same.count == 1 ? nil : reader.words.count(same.count, "times", reader.number(same.count))
            )
        }
    }
}

extension RecordedEvent {
    fileprivate var isDenied: Bool { type == AccessDenied.type || type == AccessSummarised.type }
}
