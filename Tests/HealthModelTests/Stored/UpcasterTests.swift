import Testing

@testable import HealthModel

struct UpcasterTests {
    /// An invented schema version: version 0 of an account contains only its name, as plain UTF-8.
    private let upcasters = Upcasters([
        .init(.accountAdded, version: 0): { payload throws(ModelError) in
            guard let name = String(validating: payload, as: UTF8.self) else {
                throw ModelError(.invalid, field: "name", "is not UTF-8")
            }
            return try EventCodec.encode(.accountAdded(AccountProfile(name: name, kind: .person)), reason: "")
        }
    ])

    private func decode(_ payload: [UInt8], version: UInt16) throws(ModelError) -> JournalEvent {
        try EventCodec.decode(
            type: EventType.accountAdded.rawValue,
            schemaVersion: version,
            kind: 0,
            payload: payload,
            upcasters: upcasters
        )
        .event
    }

    @Test func liftsAnOlderVersion() throws {
        #expect(try decode(Array("anna".utf8), version: 0) == .accountAdded(AccountProfile(name: "anna")))
    }

    @Test func leavesTodaysVersionAlone() throws {
        let event = JournalEvent.accountAdded(AccountProfile(name: "anna", kind: .tool))
        #expect(try decode(EventCodec.encode(event, reason: ""), version: 1) == event)
    }

    @Test func refusesVersionsThatItCannotLift() {
        #expect(refusal { try decode([0xff], version: 0) }?.field == "name")
        #expect(refusal { try decode([], version: 2) }?.message.contains("newer") == true)
        #expect(
            refusal {
                try EventCodec.decode(
                    type: EventType.recordClosed.rawValue,
                    schemaVersion: 0,
                    kind: 0,
                    payload: [],
                    upcasters: upcasters
                )
            }?
            .field == "schemaVersion"
        )
    }
}
