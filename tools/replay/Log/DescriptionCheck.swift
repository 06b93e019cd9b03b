import EventLog
import HealthModel

/// Holds what the log says of itself, which the tree does not cover, against the event that began it.
enum DescriptionCheck {
    static func run(_ verification: inout Verification) {
        // What is not there has been reported.
        guard let description = verification.description, let first = verification.first,
            first.header.type == EventType.journalCreated.rawValue
        else { return }
        if first.header.stream != description.id {
            verification.report("it began another journal than the log says it is", at: 1)
        }
        if description.createdAt > first.recordedAt {
            verification.report("it was recorded before the log says it was made", at: 1)
        }
        let decoded = verification.firstPayload.flatMap {
            try? EventCodec.decode(
                type: first.header.type,
                schemaVersion: first.header.schemaVersion,
                kind: first.header.kind,
                payload: $0
            )
        }
        if case .journalCreated(_, let zone)? = decoded?.event, zone != description.zone {
            verification.report("it names another time zone than the log, so that dates would end elsewhere", at: 1)
        }
    }
}
