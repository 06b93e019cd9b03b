import Testing

@testable import HealthModel

@Suite("Upcasters")
struct UpcasterTests {
    /// An invented schema version: version 0 of an account contains only its name, as plain UTF-8.
    private let upcasters = Upcasters([
        .init(AccountAdded.type, version: 0): { payload throws(ModelError) in
            guard let name = String(validating: payload, as: UTF8.self) else {
                throw ModelError(.invalid, field: "name", "is not UTF-8")
            }
            return try EventCodec.encode(.accountAdded(AccountProfile(name: name, kind: .person)), reason: "")
        }
    ])

    private func decode(_ payload: [UInt8], version: UInt16) throws(ModelError) -> JournalEvent {
        try EventCodec.decode(
            type: AccountAdded.type.rawValue,
            schemaVersion: version,
            kind: 0,
            payload: payload,
            upcasters: upcasters
        )
        .event
    }

    @Test("An event of an older version is decoded through its upcaster")
    func upcasts() throws {
        #expect(try decode(Array("anna".utf8), version: 0) == .accountAdded(AccountProfile(name: "anna")))
    }

    @Test("An event of the current version is decoded without an upcaster")
    func currentVersion() throws {
        let event = JournalEvent.accountAdded(AccountProfile(name: "anna", kind: .tool))
        #expect(try decode(EventCodec.encode(event, reason: ""), version: 1) == event)
    }

    @Test("A newer version, an older one without an upcaster, and a payload that cannot be upcast are refused")
    func refusesVersions() {
        #expect(refusal { try decode([0xff], version: 0) }?.field == "name")
        #expect(refusal { try decode([], version: 2) }?.message.contains("newer") == true)
        #expect(
            refusal {
                try EventCodec.decode(
                    type: RecordClosed.type.rawValue,
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
