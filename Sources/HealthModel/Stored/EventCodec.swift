import FoundationEssentials
import SwiftProtobuf

/// The one way between an event and the bytes of its payload.
///
/// The same event always gives the same bytes.
package enum EventCodec {
    package static func encode(
        _ event: JournalEvent,
        reason: String,
        requestDigest: [UInt8] = []
    ) throws(ModelError) -> [UInt8] {
        var payload = StoredPayload()
        payload.reason = reason
        payload.requestDigest = Data(requestDigest)
        payload.event = event.stored
        do {
            return try payload.serializedBytes()
        } catch {
            throw ModelError(.invalid, "the event is too large to be stored")
        }
    }

    /// Reads a payload, with what the frame's header says of it.
    ///
    /// `kind` is the code of the entry's kind; it matters for events that set an entry's content.
    package static func decode(
        type: UInt16,
        schemaVersion: UInt16,
        kind: UInt16,
        payload: [UInt8],
        upcasters: Upcasters = .current
    ) throws(ModelError) -> (event: JournalEvent, reason: String, requestDigest: [UInt8]) {
        guard let type = EventType(rawValue: type) else {
            throw ModelError(
                .invalid,
                field: "type",
                "this program knows no event type \(type); a newer one may have written it"
            )
        }
        let lifted = try upcasters.lift(payload, of: type, from: schemaVersion)
        if let direct = DirectPayload(lifted, type, kind: kind) {
            return (direct.event, direct.reason, direct.requestDigest)
        }
        return try decodeByLibrary(lifted, type, kind: kind)
    }

    /// Reads a payload of today's schema version, whatever its shape.
    package static func decodeByLibrary(
        _ payload: [UInt8],
        _ type: EventType,
        kind: UInt16
    ) throws(ModelError) -> (event: JournalEvent, reason: String, requestDigest: [UInt8]) {
        let stored: StoredPayload
        do {
            stored = try StoredPayload(serializedBytes: payload)
        } catch {
            throw ModelError(.invalid, field: "payload", "is not a \(type.name) as it is stored")
        }
        let event = try JournalEvent(stored: stored.event, kind: kind)
        guard event.type == type else {
            throw ModelError(
                .invalid,
                field: "payload",
                "holds a \(event.type.name) where its header says \(type.name)"
            )
        }
        return (event, stored.reason, [UInt8](stored.requestDigest))
    }
}
