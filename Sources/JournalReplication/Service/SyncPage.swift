package import FoundationEssentials
package import HealthModel
package import Interchange
internal import JournalCore
package import JournalIngest

/// One page of the events that an account may see, for a device that works offline.
package struct SyncPage: Sendable {
    package var events: [Event]
    /// Records in which the account no longer sees data that it saw before the page.
    package var forgotten: [(record: UUID, why: Forgetting)]
    /// Records in which the account sees more than before the page: they are fetched again from position 0.
    package var again: [UUID]
    /// The last position that was examined; the next page begins after it.
    package var through: UInt64
    package var hasMore: Bool
    package var checkpoint: String?
    package var now: Instant
    /// The version of the table of time zones.
    package var zoneTable: String
    /// What the account sees at present.
    package var sight: [UUID: SyncAccess]
    /// The id and the time zone of the journal.
    package var journal: (id: UUID, zone: String)
    /// When the event at `through` was recorded; nil if there is none.
    package var recordedAt: Instant?
    /// The accounts that made the changes in the page, with their devices in it.
    package var accounts: [SyncAccount]

    /// An event, and its number in its stream.
    package struct Event: Sendable {
        package var event: FeedEvent
        package var streamPosition: UInt64
        /// The stored form of the event's data, if it was asked for instead of JSON.
        package var payload: [UInt8]?
    }

    package enum Forgetting: String, CaseIterable, Sendable {
        case revoked, erased
    }
}

extension SyncPage {
    /// The page as lines of JSON: its events, what to forget and to fetch again, and how far it reaches.
    package var lines: [JSONValue] {
        var lines = events.map { line -> JSONValue in
            var members = line.event.json.members
            if let payload = line.payload {
                members += [
                    .init("datacontenttype", .string("application/protobuf")),
                    .init("data_base64", .string(Data(payload).base64EncodedString())),
                ]
            }
            return ["event": .object(members + [.init("streamPosition", .integer(line.streamPosition))])]
        }
        lines += forgotten.map { ["forget": .string($0.record.text), "why": .string($0.why.rawValue)] }
        lines += again.map { ["again": .string($0.text)] }
        let sight = sight.sorted { $0.key.text < $1.key.text }
            .map { record, sight -> JSONValue in .object([.init("record", .string(record.text))] + sight.members) }
        lines.append(
            .present([
                "upTo": .integer(through), "more": .bool(hasMore), "checkpoint": checkpoint.map { .string($0) },
                "now": .time(now), "recordedAt": recordedAt.map { .time($0) }, "zoneTable": .string(zoneTable),
                "journal": .string(journal.id.text), "zone": .string(journal.zone), "sight": .array(sight),
                "accounts": .array(accounts.map(\.json)),
            ])
        )
        return lines
    }
}
