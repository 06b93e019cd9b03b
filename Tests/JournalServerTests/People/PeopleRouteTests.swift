import EventLog
import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Interchange
import Testing

@testable import JournalCore
@testable import JournalServer

@Suite("People over HTTP")
struct PeopleRouteTests {
    @Test("Settings that are written again answer the position of the last change, and keys are for one request")
    func settings() async throws {
        let fixture = try await ServiceFixture()
        let anna = try await fixture.account("anna")
        try await fixture.serve { client in
            let bodies = [
                ("me/profile", #"{"displayName": "Anna"}"#, #"{"displayName": "Anne"}"#),
                ("me/preferences", #"{"language": "de"}"#, #"{"language": "fr"}"#),
                ("\(anna.id.text)/subscription", #"{"status": "active"}"#, #"{"status": "expired"}"#),
            ]
            for (path, body, other) in bodies {
                let path = "/v1/accounts/\(path)"
                let key = [("Idempotency-Key", path)]
                let first = try await client.send(.put, path, body, key)
                #expect(first.status == 200, "\(first.text)")
                #expect(first.json["changed"] == true, "\(first.text)")
                #expect(first.json["position"] != "0")
                let again = try await client.send(.put, path, body)
                #expect(again.status == 200)
                #expect(again.json["changed"] == false)
                let position = again.json["position"]
                #expect(position == first.json["position"], "\(path): \(again.text)")
                let reused = try await client.send(.put, path, other, key)
                #expect(reused.status == 409)
                #expect(reused.text("field") == "Idempotency-Key")
            }
        }
    }

    @Test("Administrators add accounts, which manage their own passwords and tokens")
    func accounts() async throws {
        let fixture = try await ServiceFixture()
        let ben = try await fixture.account("ben")
        let keeper = try await fixture.account("keeper", .administrator)
        try await fixture.serve { client in
            let body = #"{"name": "anna", "email": "anna@example.org"}"#
            #expect(try await client.with(ben.token).post("/v1/accounts", body).status == 403)
            let added = try await client.with(keeper.token).post("/v1/accounts", body, [("Idempotency-Key", "k")])
            #expect(added.status == 201)
            let anna = try #require(added.text("account"))
            let again = try await client.with(keeper.token).post("/v1/accounts", body, [("Idempotency-Key", "k")])
            #expect(again.status == 201)
            #expect(again.text("account") == anna)
            #expect(try await client.post("/v1/accounts", body).status == 409)
            #expect(try await client.post("/v1/accounts", #"{"name": "x", "kind": "queen"}"#).text("field") == "kind")
            #expect(try await client.with(ben.token).get("/v1/accounts").status == 403)
            let names = try await client.get("/v1/accounts").items("accounts").map { $0.text("name") }
            #expect(names == ["owner", "ben", "keeper", "anna"])

            let password = "/v1/accounts/\(anna)/password"
            #expect(try await client.send(.put, password, #"{"password": "short"}"#).status == 400)
            #expect(try await client.send(.put, password, #"{"password": "correct horse"}"#).status == 200)
            #expect(
                try await client.with(ben.token).send(.put, password, #"{"password": "of my choice"}"#).status == 403
            )
            let taken = try await client.with(keeper.token).send(.put, password, #"{"password": "of my choice"}"#)
            #expect(taken.status == 403)

            let tokens = "/v1/accounts/\(ben.id.text)/tokens"
            let issued = try await client.with(ben.token).post(tokens, #"{"scope": "read"}"#)
            #expect(issued.status == 201)
            let (id, secret) = (try #require(issued.text("id")), try #require(issued.text("token")))
            #expect(try await client.with(secret).get("/v1/records").status == 200)
            #expect(try await client.with(secret).get(tokens).status == 403)
            #expect(try await client.with(keeper.token).post(tokens, #"{"scope": "read"}"#).status == 403)
            let listed = try await client.with(ben.token).get(tokens).items("tokens")
            #expect(listed.count == 2)
            #expect(listed.last?.text("lastUsedAt") != nil)
            #expect(try await client.with(ben.token).get(tokens).text.contains("hj_") == false)
            #expect(try await client.with(ben.token).send(.delete, "\(tokens)/\(id)").status == 200)
            #expect(try await client.with(secret).get("/v1/records").status == 401)
        }
    }

    @Test("The size of a request without credentials is strictly limited")
    func strangers() async throws {
        try await ServiceFixture()
            .serve { client in
                let long = #"{"name": "anna", "password": "\#(String(repeating: "x", count: 20_000))"}"#
                let answer = try await client.with(nil).post("/v1/session", long)
                #expect(answer.status == 413)
            }
    }

    @Test("The use of a token is recorded once a day")
    func uses() async throws {
        let fixture = try await ServiceFixture()
        let journal = fixture.journal
        try await fixture.serve { client in
            for _ in 0..<20 {
                let answer = try await client.get("/v1/session")
                #expect(answer.status == 200)
            }
        }
        let events = try journal.log.events(of: fixture.owner.account)
        #expect(events.count { $0.header.type == TokenUsed.type.rawValue } == 1)
        let caller = try await journal.accounts.authenticate(fixture.token, source: .http)
        let token = try #require(try journal.accounts.account(caller.account).tokens.values.first)
        #expect(token.used != nil)
        let (told, last) = (try #require(token.used?.recordedAt), try #require(journal.accounts.lastUse(of: token)))
        #expect(last >= told)
    }

    @Test("A record can have several owners, and be transferred")
    func owners() async throws {
        let fixture = try await ServiceFixture()
        let (ben, carla) = (try await fixture.account("ben"), try await fixture.account("carla"))
        try await fixture.serve { client in
            let record = try await client.person()
            let owners = "/v1/records/\(record)/owners"
            #expect(try await client.with(ben.token).send(.put, "\(owners)/\(ben.id.text)").status == 403)
            let added = try await client.send(.put, "\(owners)/\(ben.id.text)")
            #expect(added.status == 200)
            #expect(added.text("account") == ben.id.text)
            #expect(try await client.with(ben.token).get(owners).items("owners").count == 2)
            #expect(try await client.with(carla.token).get(owners).status == 403)
            let first = try #require(try await client.get(owners).items("owners").first?.text("account"))
            #expect(try await client.with(ben.token).send(.delete, "\(owners)/\(first)").status == 200)
            #expect(try await client.get("/v1/records/\(record)").status == 403)
            #expect(try await client.with(ben.token).send(.delete, "\(owners)/\(ben.id.text)").status == 409)
            let give = "/v1/records/\(record)/transfer"
            #expect(try await client.with(ben.token).post(give, #"{"to": "carla"}"#).text("field") == "to")
            let given = try await client.with(ben.token)
                .post(give, #"{"to": "\#(carla.id.text)"}"#, [("Idempotency-Key", "g")])
            #expect(given.status == 200)
            // A repeated request gets the first answer, though ben may not transfer the record any more.
            let again = try await client.with(ben.token)
                .post(give, #"{"to": "\#(carla.id.text)"}"#, [("Idempotency-Key", "g")])
            #expect(again.status == 200)
            #expect(again.text == given.text)
            #expect(try await client.with(ben.token).get("/v1/records/\(record)").status == 403)
            #expect(try await client.with(carla.token).get("/v1/records/\(record)").status == 200)
            guard case .number(let position)? = added.json["position"] else {
                Issue.record("an answer without a position")
                return
            }
            let then = try await client.with(carla.token).get("\(owners)?asOf=\(position)").items("owners")
            #expect(then.map { $0.text("account") } == [first, ben.id.text])
            #expect(try await client.with(carla.token).get(owners).items("owners").count == 1)
        }
    }

    @Test("A code makes one person a caregiver")
    func invitations() async throws {
        let fixture = try await ServiceFixture()
        let (anna, ben) = (try await fixture.account("anna"), try await fixture.account("ben"))
        try await fixture.serve { client in
            let record = try await client.person()
            let path = "/v1/records/\(record)/invitations"
            #expect(try await client.with(anna.token).post(path, "{}").status == 403)
            for (body, field) in [
                (#"{"sections": ["kitchen"]}"#, "sections"), (#"{"days": 31}"#, "days"), (#"{"days": "x"}"#, "days"),
                (#"{"shoe": 1}"#, "shoe"),
            ] {
                let answer = try await client.post(path, body)
                #expect(answer.status == 400)
                #expect(answer.text("field") == field)
            }
            let made = try await client.post(path, #"{"sections": ["doctorlist"], "verbs": ["read"], "days": 2}"#)
            #expect(made.status == 201)
            let code = try #require(made.text("code"))
            let accept = #"{"code": "\#(code)"}"#
            #expect(try await client.with(nil).post("/v1/invitations/accept", accept).status == 401)
            let accepted = try await client.with(anna.token).post("/v1/invitations/accept", accept)
            #expect(accepted.status == 200)
            #expect(accepted.text("record") == record)
            #expect(try await client.with(ben.token).post("/v1/invitations/accept", accept).status == 404)
            #expect(try await client.with(anna.token).get("/v1/records/\(record)").status == 200)
            let second = try #require(try await client.post(path, "{}").text("id"))
            #expect(try await client.send(.delete, "\(path)/\(second)").status == 200)
            let listed = try await client.get(path)
            #expect(listed.items("invitations").map { $0.text("state") } == ["accepted", "withdrawn"])
            #expect(!listed.text.contains("hji_"))
        }
    }

    @Test("A code replaces the grant of its holder if If-Match names that grant")
    func replacedByInvitation() async throws {
        let fixture = try await ServiceFixture()
        let anna = try await fixture.account("anna")
        try await fixture.serve { client in
            let record = try await client.person()
            let caregivers = "/v1/records/\(record)/caregivers"
            _ = try await client.send(.put, "\(caregivers)/\(anna.id.text)", #"{"verbs": ["read", "contribute"]}"#)
            let invited = try await client.post("/v1/records/\(record)/invitations", #"{"sections": ["doctorlist"]}"#)
            let body = #"{"code": "\#(try #require(invited.text("code")))"}"#
            let holder = client.with(anna.token)
            let refused = try await holder.post("/v1/invitations/accept", body)
            #expect(refused.status == 409)
            #expect(refused.text("field") == "grant")
            let preview = try await holder.post("/v1/invitations/preview", body)
            #expect(preview.status == 200)
            #expect(preview.text("record") == record)
            #expect(preview.json["terms"]?["sections"] == ["doctorlist"])
            #expect(preview.json["replaces"]?["verbs"] == ["read", "contribute"])
            guard case .number(let position)? = preview.json["replaces"]?["position"] else {
                Issue.record("a preview without the position of the grant")
                return
            }
            let wrong = try await holder.send(.post, "/v1/invitations/accept", body, [("If-Match", "\"1\"")])
            #expect(wrong.status == 412)
            let accepted = try await holder.send(
                .post,
                "/v1/invitations/accept",
                body,
                [("If-Match", "\"\(position)\"")]
            )
            #expect(accepted.status == 200)
            let now = try await client.get(caregivers).items("caregivers")
            #expect(now.map { $0["verbs"] } == [["read"]] && now.map { $0["sections"] } == [["doctorlist"]])
        }
    }

    @Test("An emergency opens only urgent information, and the owner is notified")
    func emergencies() async throws {
        let fixture = try await ServiceFixture()
        let (anna, ben) = (try await fixture.account("anna"), try await fixture.account("ben"))
        try await fixture.serve { client in
            let record = try await client.person()
            _ = try await client.post(
                "/v1/records/\(record)/entries/allergy",
                #"{"name": "Penicillin", "information": "x"}"#
            )
            _ = try await client.post("/v1/records/\(record)/entries/illness", #"{"name": "Secret"}"#)
            let grant = #"{"sections": ["conflicts"]}"#
            _ = try await client.send(.put, "/v1/records/\(record)/caregivers/\(anna.id.text)", grant)
            let path = "/v1/records/\(record)/emergency-access"
            let body = #"{"reason": "found unconscious", "hours": 2}"#
            #expect(try await client.with(ben.token).post(path, body).status == 403)
            #expect(try await client.with(anna.token).post(path, #"{"reason": "help"}"#).text("field") == "reason")
            #expect(
                try await client.with(anna.token).post(path, #"{"reason": "found unconscious", "hours": 25}"#)
                    .text("field") == "hours"
            )
            let opened = try await client.with(anna.token).post(path, body, [("Idempotency-Key", "e")])
            #expect(opened.status == 201)
            let again = try await client.with(anna.token).post(path, body, [("Idempotency-Key", "e")])
            #expect(again.text == opened.text)
            let seen = try await client.with(anna.token).get("/v1/records/\(record)")
            #expect(seen.text.contains("Penicillin"))
            #expect(!seen.text.contains("Secret"))
            let entries = "/v1/records/\(record)/entries"
            #expect(try await client.with(anna.token).get("\(entries)/allergy").items("entries").count == 1)
            for closed in ["\(entries)/illness", "/v1/records/\(record)/access"] {
                #expect(try await client.with(anna.token).get(closed).status == 403, "\(closed)")
            }
            // What the grant itself allows does not change.
            for usual in ["/v1/records/\(record)/history", "/v1/records/\(record)/export?as=csv"] {
                let answer = try await client.with(anna.token).get(usual)
                #expect(answer.status == 200, "\(usual)")
                #expect(!answer.text.contains("Penicillin"), "\(usual)")
            }
            #expect(try await client.with(anna.token).get("/v1/notices").items("notices").isEmpty)
            let notices = try await client.get("/v1/notices").items("notices")
            #expect(notices.count == 1)
            #expect(notices.first?.text("reason") == "found unconscious")
            guard case .number(let position)? = notices.first?["position"] else {
                Issue.record("a notice without a position")
                return
            }
            let acknowledge = "/v1/notices/\(position)/acknowledge"
            #expect(try await client.with(ben.token).send(.post, acknowledge).status == 404)
            #expect(try await client.send(.post, acknowledge).status == 200)
            #expect(try await client.send(.post, "/v1/notices/abc/acknowledge").status == 404)
            #expect(try await client.get("/v1/notices").items("notices").first?["acknowledged"] == .bool(true))
            let looks = try await client.get("/v1/records/\(record)/access").items("events")
            let right: JSONValue = ["by": "emergency", "position": .number(position)]
            #expect(looks.contains { $0["data"]?["right"] == right })
        }
    }
}
