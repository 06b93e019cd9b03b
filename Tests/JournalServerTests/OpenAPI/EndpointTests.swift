import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Interchange
import TestSupport
import Testing

@testable import JournalServer

@Suite("Endpoints")
struct EndpointTests {
    private let id = UUID(uuid: (1, 2, 3, 4, 5, 6, 0x47, 8, 0x89, 10, 11, 12, 13, 14, 15, 16))

    @Test("The request of a client has the values of the parts, at the places that the description names")
    func requests() throws {
        var question = CareQuestion(from: try Day(parsing: "2026-03-01"), plan: id)
        question.asOf = .position(42)
        let due = CareEndpoints.due.request(id, question)
        #expect(due.method == "GET")
        #expect(due.effect == .read)
        #expect(due.body == nil)
        #expect(due.path == ["v1", "records", id.text, "due"])
        #expect(due.query.map { "\($0.name)=\($0.value)" } == ["from=2026-03-01", "plan=\(id.text)", "asOf=42"])
        #expect(CareEndpoints.today.request(id, CareQuestion()).query.isEmpty)
        let other = UUID()
        let undo = CareEndpoints.undoDose.request(id, other, 7)
        #expect(undo.method == "POST")
        #expect(undo.effect == .change)
        #expect(undo.expecting == 7)
        #expect(undo.path == ["v1", "records", id.text, "doses", other.text, "undo"])
        let dose = DoseRequest(plan: id, status: .taken)
        #expect(CareEndpoints.logDose.request(other, dose).body == dose.json)
        let change = TriageEndpoints.change(.override).request(id, nil, .override(.yellow))
        #expect(change.path == ["v1", "triage", id.text, "override"])
        #expect(change.expecting == nil)
        let days = try Day(parsing: "2026-03-01")...Day(parsing: "2026-03-02")
        let list = TriageEndpoints.list.request(id, days, nil)
        #expect(list.query.map { "\($0.name)=\($0.value)" } == ["from=2026-03-01", "to=2026-03-02"])
    }

    @Test("A request states its reason where the operation reads it, and its precondition as it was given")
    func reasons() throws {
        var opened = EmergencyEndpoints.open.request(id, 4)
        opened.state(reason: "found unconscious")
        #expect(opened.body == ["hours": 4, "reason": "found unconscious"])
        #expect(opened.query.isEmpty)
        var accepted = InvitationEndpoints.accept.request("ABCD", .any)
        accepted.state(reason: "asked for")
        #expect(accepted.query.map { "\($0.name)=\($0.value)" } == ["reason=asked for"])
        #expect(accepted.headers.map { "\($0.name): \($0.value)" } == ["If-Match: *"])
        #expect(InvitationEndpoints.accept.request("ABCD", .given(at: 7)).expecting == 7)
        #expect(InvitationEndpoints.accept.request("ABCD", .none).headers.isEmpty)
        var preview = InvitationEndpoints.preview.request("ABCD")
        preview.state(reason: "curious")
        #expect(preview.effect == .read)
        #expect(preview.query.isEmpty)
        #expect(preview.body == ["code": "ABCD"])
    }

    @Test("A request whose answer shows a secret has a key for others, and is sent once by our own client")
    func secrets() throws {
        let offer = InvitationOffer(GrantTerms(sections: [.myhealth], verbs: [.read]), days: 3)
        #expect(InvitationEndpoints.invite.request(id, offer).effect == .secret)
        #expect(Operation(InvitationEndpoints.invite).parameters.contains(.idempotencyKey))
        let token = NewToken(try TokenScope(parsing: "read"), expires: nil, current: "seven pale lanterns")
        #expect(AccountEndpoints.issueToken.request(id, token).effect == .secret)
    }

    @Test("Every operation of an endpoint describes its reason and key, if it is a change, and no others")
    func description() throws {
        let groups: [any OperationGroup.Type] = [
            CareEndpoints.self, TriageEndpoints.self, ClientEndpoints.self, PracticeEndpoints.self,
            AppointmentEndpoints.self, PatientEndpoints.self, OwnerEndpoints.self, CaregiverEndpoints.self,
            InvitationEndpoints.self, AccountSettingsEndpoints.self,
        ]
        // Questions that must not be part of an address.
        let questions: Set = ["listSources", "previewInvitation"]
        let operations = groups.flatMap { $0.operations }.filter { !questions.contains($0.id) }
        #expect(operations.count > 100)
        for operation in operations {
            let names = Set(operation.parameters.map(\.name))
            #expect(names.contains("Idempotency-Key") == (operation.method != .get), "\(operation.id)")
            #expect(names.contains("reason") == (operation.method != .get), "\(operation.id)")
        }
    }

    @Test("A result of a change is read as it was written, with its version from the entity tag")
    func results() throws {
        let entry = UUID()
        let results = [
            WriteResult(position: 9, record: id, entry: entry), WriteResult(position: 1, id: entry, isChanged: false),
            WriteResult(position: 5, version: 3, account: id),
        ]
        for result in results {
            #expect(try WriteResult(NativeObject(.object(result.members)), version: result.version) == result)
        }
    }
}
