import TestSupport
import Testing

@testable import HealthModel

/// Tests that `DirectPayload` and the Protocol Buffers library decode the same bytes to the same values.
@Suite("Direct decoding of payloads")
struct DirectPayloadTests {
    private func same(
        _ direct: DirectPayload,
        _ other: DecodedPayload?
    ) -> Bool {
        direct.event == other?.event && direct.reason == other?.reason && direct.requestDigest == other?.requestDigest
    }

    @Test("The direct decoder and the library decode each encoded entry event to the same values")
    func matchesLibrary() throws {
        try checkProperty("direct payloads") { generator, seed in
            let content = try generator.content()
            let event: JournalEvent = try generator.pick([
                .entryAdded(content), .entryCorrected(content), .entryRetracted, .entryRestored,
            ])
            let payload = try EventCodec.encode(
                event,
                reason: generator.bool() ? generator.text(upTo: 40) : "",
                requestDigest: generator.bool() ? (0..<32).map { UInt8($0) } : []
            )
            let direct = try #require(DirectPayload(payload, event.type, kind: content.kind.code), seed)
            #expect(direct.event == event, seed)
            #expect(same(direct, try EventCodec.decodeWithProtobuf(payload, event.type, kind: content.kind.code)), seed)
        }
    }

    @Test("A changed payload that the direct decoder accepts has the same values for the library")
    func matchesLibraryAfterChanges() throws {
        var decoded = 0
        try checkProperty("changed payloads", times: 3_000) { generator, seed in
            let content = try generator.content()
            let event = JournalEvent.entryAdded(content)
            var payload = try EventCodec.encode(event, reason: generator.text(upTo: 10))
            for _ in 0..<generator.int(1...3) {
                let place = generator.int(0...payload.count - 1)
                switch generator.int(0...3) {
                case 0: payload[place] = UInt8(generator.int(0...255))
                case 1: payload.remove(at: place)
                case 2: payload.insert(UInt8(generator.int(0...255)), at: place)
                default: payload.insert(contentsOf: payload[place...].prefix(generator.int(1...12)), at: place)
                }
            }
            guard let direct = DirectPayload(payload, event.type, kind: content.kind.code) else { return }
            decoded += 1
            let other = try? EventCodec.decodeWithProtobuf(payload, event.type, kind: content.kind.code)
            #expect(same(direct, other), seed)
        }
        #expect(decoded > 20)
    }

    @Test("The direct decoder refuses other types, unknown kinds, another field order and unknown fields")
    func refusesOtherShapes() throws {
        let content = EntryContent(kind: Weight.kind, comment: "twice")
        let payload = try EventCodec.encode(.entryAdded(content), reason: "twice")
        let kind = Weight.kind.code
        #expect(DirectPayload(payload, EntryAdded.type, kind: kind) != nil)
        // Not decoded: another type, an unknown kind, a reason that follows the content, and an unknown field.
        #expect(DirectPayload(payload, EntryCorrected.type, kind: kind) == nil)
        #expect(DirectPayload(payload, EntryAdded.type, kind: 9_999) == nil)
        let reason = payload.prefix(7)
        let moved = Array(payload.dropFirst(7) + reason)
        #expect(DirectPayload(moved, EntryAdded.type, kind: kind) == nil)
        #expect(try EventCodec.decodeWithProtobuf(moved, EntryAdded.type, kind: kind).reason == "twice")
        #expect(DirectPayload(payload + [0xF8, 0x7F, 0x01], EntryAdded.type, kind: kind) == nil)
        // An event without content is decoded only under the type that it names.
        let retracted = try EventCodec.encode(.entryRetracted, reason: "twice")
        #expect(DirectPayload(retracted, EntryRetracted.type, kind: kind)?.event == .entryRetracted)
        #expect(DirectPayload(retracted, EntryRestored.type, kind: kind) == nil)
    }
}
