import EventLog
import HealthModel

/// Checks the log's description, which the Merkle tree does not cover, against the event that created the journal.
enum DescriptionCheck {
    static func run(_ verification: inout Verification) {
        // A missing description or first event has been reported already.
        guard let description = verification.description, let first = verification.first,
            first.header.type == JournalCreated.type.rawValue
        else { return }
        if first.header.stream != description.id {
            verification.report("it created another journal than the log's description states", at: 1)
        }
        if description.createdAt > first.recordedAt {
            verification.report("it was recorded before the log's description states that the log was created", at: 1)
        }
        let decoded = verification.firstPayload.flatMap {
            try? EventCodec.decode(
                type: first.header.type,
                schemaVersion: first.header.schemaVersion,
                kind: first.header.kind,
                payload: $0
            )
        }
        if let created = decoded?.event.data as? JournalCreated, created.zone != description.zone {
            verification.report(
                "it names another time zone than the log's description, so that days would end at other times",
                at: 1
            )
        }
    }
}
