import FoundationEssentials
import SwiftProtobuf

/// The decoded payload of an event.
package struct DecodedPayload: Hashable, Sendable {
    package var event: JournalEvent
    package var reason: String
    /// The digest of the request that produced the event; empty for an event without an idempotency key.
    package var requestDigest: [UInt8]
    /// The time of the machine's clock, if the recorded time is later.
    package var clock: Instant?
    /// When and where a change was made that a device sent later.
    package var origin: ChangeOrigin?
}

/// The encoder and decoder for the payloads of events.
///
/// The encoding is deterministic: the same event always gives the same bytes.
package enum EventCodec {
    package static func encode(
        _ event: JournalEvent,
        reason: String,
        requestDigest: [UInt8] = [],
        clock: Int64? = nil,
        origin: ChangeOrigin? = nil
    ) throws(ModelError) -> [UInt8] {
        var payload = StoredPayload()
        payload.reason = reason
        payload.requestDigest = Data(requestDigest)
        payload.clock = clock ?? 0
        payload.deviceChange = Data(origin?.stored ?? [])
        payload.type = UInt32(event.type.rawValue)
        payload.data = event.storedData
        do {
            return try payload.serializedBytes()
        } catch {
            throw ModelError(.invalid, "the event is too large to be stored")
        }
    }

    /// Decodes a payload with the type, schema version and kind from the frame's header.
    ///
    /// `kind` is the code of the entry's kind; it matters only for events that set an entry's content.
    package static func decode(
        type: UInt16,
        schemaVersion: UInt16,
        kind: UInt16,
        payload: [UInt8],
        upcasters: Upcasters = .current
    ) throws(ModelError) -> DecodedPayload {
        guard let type = EventType(rawValue: type) else {
            throw ModelError(
                .invalid,
                field: "type",
                "this program does not know event type \(type); a newer one may have written it"
            )
        }
        let lifted = try upcasters.lift(payload, of: type, from: schemaVersion)
        if let direct = DirectPayload(lifted, type, kind: kind) {
            return DecodedPayload(event: direct.event, reason: direct.reason, requestDigest: direct.requestDigest)
        }
        return try decodeWithProtobuf(lifted, type, kind: kind)
    }

    /// Decodes a payload of the current schema version with the protobuf library, which accepts every valid encoding.
    package static func decodeWithProtobuf(
        _ payload: [UInt8],
        _ type: EventType,
        kind: UInt16
    ) throws(ModelError) -> DecodedPayload {
        let stored: StoredPayload
        do {
            stored = try StoredPayload(serializedBytes: payload)
        } catch {
            throw ModelError(.invalid, field: "payload", "is not a valid stored \(type.name)")
        }
        guard stored.type == UInt32(type.rawValue) else {
            throw ModelError(
                .invalid,
                field: "payload",
                "contains an event of type \(stored.type), but its header names \(type.name)"
            )
        }
        let event = try JournalEvent(type, stored: stored.data, kind: kind)
        return DecodedPayload(
            event: event,
            reason: stored.reason,
            requestDigest: [UInt8](stored.requestDigest),
            clock: stored.clock == 0 ? nil : Instant(microseconds: stored.clock),
            origin: try ChangeOrigin(stored: [UInt8](stored.deviceChange))
        )
    }
}

extension ChangeOrigin {
    /// 16 bytes of the device and 8 of the time; nil for a change that was made at the service itself.
    fileprivate var stored: [UInt8]? {
        device.map { id in
            id.bytes + (1...8).map { UInt8(truncatingIfNeeded: madeAt.microseconds >> (64 - 8 * $0)) }
        }
    }

    fileprivate init?(stored: [UInt8]) throws(ModelError) {
        if stored.isEmpty { return nil }
        guard stored.count == 24, let device = UUID(bytes: stored.prefix(16)) else {
            throw ModelError(
                .invalid,
                field: "payload",
                "contains a device's change of \(stored.count) bytes, not of 24"
            )
        }
        let madeAt = stored.suffix(8).reduce(Int64(0)) { $0 << 8 | Int64($1) }
        self.init(madeAt: Instant(microseconds: madeAt), device: device)
    }
}

extension JournalEvent {
    /// Nil for fields without values, which are not stored.
    fileprivate var storedData: StoredPayload.OneOf_Data? {
        switch self {
        case .content(let content, _):
            return .content(content.stored)
        case .access(let access, _):
            return .access(access.stored)
        case .fields:
            let values = values
            return values.isEmpty ? nil : .fields(.with { $0.values = values.stored })
        }
    }

    fileprivate init(_ type: EventType, stored: StoredPayload.OneOf_Data?, kind: UInt16) throws(ModelError) {
        switch (type.definition.form, stored) {
        case (.content, .content(let content)): self = .content(try EntryContent(stored: content, kind: kind), of: type)
        case (.access, .access(let access)): self = .access(try Access(stored: access), of: type)
        case (.fields(_, let read), .fields(let fields)): self = .fields(try read(FieldValues(stored: fields.values)))
        case (.fields(_, let read), nil): self = .fields(try read(FieldValues()))
        default: throw ModelError(.invalid, field: "payload", "does not contain the data of \(type.name)")
        }
    }
}
