internal import FoundationEssentials
package import HealthModel

/// Who looked at a record: by person and visit, the latest first.
package struct AccessPage: WebPage {
    package static let template = "access"
    /// How many looks are shown.
    package static let looks = 100

    package let head: RecordHead
    /// Whose looks alone are shown; nil for everybody's.
    package let of: String?
    package let isEmpty: Bool
    package let visits: [Visit]
    package let olderAddress: String?

    /// What somebody looked at within a while, or was refused.
    package struct Visit: Sendable {
        package let who: String
        package let when: String
        package let iso: String
        package let isDenied: Bool
        package let looks: [Look]
        package let positions: [Position]
    }

    /// The same thing, looked at once or several times.
    package struct Look: Sendable {
        package let what: String
        package let detail: String?
        /// How often, in words; nil for once.
        package let times: String?
    }

    package struct Position: Sendable {
        package let position: UInt64
        package let address: String
    }

    /// With one look more than there is room for, where there are older ones.
    package init(
        _ head: RecordHead,
        _ found: [RecordedEvent],
        of account: (id: String, name: String)?,
        _ names: Names,
        _ reader: Reader
    ) {
        self.head = head
        of = account.map { reader.words["accessOf", $0.name] }
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
        let filter = account.map { "&account=\($0.id)" } ?? ""
        olderAddress =
            found.count > AccessPage.looks
            ? "before=\(found[AccessPage.looks - 1].stamp.position)\(filter)" : nil
    }

    /// One after the other by the same person without a longer pause; what was refused stands by itself.
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
    fileprivate var isDenied: Bool { type == .accessDenied }
}
