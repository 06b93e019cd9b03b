import Foundation
import HealthJournal
import HealthModel
import Interchange
import Testing

@testable import JournalCore

@Suite("Tokens")
struct AuthenticationTests {
    @Test("A token's secret authenticates its account until the token is revoked")
    func revoked() async throws {
        let household = try await TestHousehold()
        let journal = household.journal
        let issued = try await journal.accounts.issueToken(
            to: household.owner.account,
            scope: .read,
            expires: nil,
            household.owner
        )
        let caller = try await journal.accounts.authenticate(issued.secret, source: .http, purpose: "a look")
        #expect(caller.account == household.owner.account)
        #expect(caller.scope == .read)
        #expect(caller.source == .http)
        #expect(caller.purpose == "a look")
        _ = try await journal.accounts.revokeToken(issued.id, of: household.owner.account, household.owner)
        #expect(
            await refusal { _ = try await journal.accounts.authenticate(issued.secret, source: .http) }?.code
                == .unauthenticated
        )
    }

    @Test("A token is valid until it expires, and an altered secret is refused")
    func expired() async throws {
        let household = try await TestHousehold()
        let journal = household.journal
        let end = try Instant(parsing: "2026-03-05T00:00:00Z")
        let issued = try await journal.accounts.issueToken(
            to: household.owner.account,
            scope: .full,
            expires: end,
            household.owner
        )
        try household.clock.set("2026-03-04T23:59:59Z")
        await #expect(throws: Never.self) { try await journal.accounts.authenticate(issued.secret, source: .http) }
        for secret in ["", "hj_", issued.secret + "A", String(issued.secret.dropLast()), issued.secret.uppercased()] {
            #expect(
                await refusal { _ = try await journal.accounts.authenticate(secret, source: .http) }?.code
                    == .unauthenticated
            )
        }
        try household.clock.set("2026-03-05T00:00:00Z")
        #expect(
            await refusal { _ = try await journal.accounts.authenticate(issued.secret, source: .http) }?.code
                == .unauthenticated
        )
    }

    @Test("A token is still valid after the journal is reopened")
    func reopened() async throws {
        let household = try await TestHousehold()
        let owner = household.owner
        let issued = try await household.journal.accounts.issueToken(
            to: owner.account,
            scope: .full,
            expires: nil,
            owner
        )
        try household.reopen()
        #expect(
            try await household.journal.accounts.authenticate(issued.secret, source: .http).account == owner.account
        )
    }

    @Test("A token's scope limits what the account may do", arguments: ["read", "append", "audit", "full"])
    func scopes(_ text: String) async throws {
        let household = try await TestHousehold()
        let journal = household.journal
        let record = try await household.person("Ida")
        var caller = household.owner
        caller.scope = try TokenScope(parsing: text)
        let bound = caller
        let allowed: [String: Set<String>] = [
            "read": ["read", "list", "caregivers"], "append": ["add"], "audit": ["caregivers"],
            "full": ["read", "list", "caregivers", "add", "set", "create", "account"],
        ]
        var done = Attempts()
        await done.attempt("read") {
            _ = try await journal.records.read(record, ReadOptions(), bound)
            return true
        }
        await done.attempt("list") { try await !journal.records.listRecords(bound).isEmpty }
        await done.attempt("caregivers") {
            _ = try await journal.sharing.grants(of: record, bound)
            return true
        }
        await done.attempt("add") {
            _ = try await household.add("weight", ["value": "72"], to: record, bound)
            return true
        }
        await done.attempt("set") {
            _ = try await journal.records.changeRecord(record, bound) { profile throws(ModelError) in
                try profile.set("givenName", text: "Ida Maria")
            }
            return true
        }
        await done.attempt("create") {
            _ = try await journal.records.createRecord(RecordProfile(subject: .human), bound)
            return true
        }
        await done.attempt("account") {
            _ = try await journal.accounts.addAccount(AccountProfile(name: "Anna"), bound)
            return true
        }
        #expect(done.done == allowed[text])
    }

    @Test("A token that may append to one category can append to no other category, and cannot change entries")
    func categories() async throws {
        let household = try await TestHousehold()
        let (journal, record) = (household.journal, try await household.person("Ida"))
        var bound = household.owner
        bound.scope = try TokenScope(parsing: "append:weight")
        let caller = bound
        let added = try await household.add("weight", ["value": "72"], to: record, caller)
        #expect(
            await refusal { _ = try await household.add("doctor", ["name": "x"], to: record, caller) }?.code == .refused
        )
        #expect(await refusal { _ = try await journal.entries.retractEntry(added, caller) }?.code == .refused)
        #expect(try household.events(after: household.head - 2).map(\.type) == [AccessDenied.type, AccessDenied.type])

        var scale = try await household.account("scale", .tool)
        scale.scope = try TokenScope(parsing: "append:weight")
        let answers = try await journal.ingest.append(
            ["weight-kitchen", "weight", "weights", "lab-weight"]
                .map { source in
                    try CloudEvent.read(Array(#"{"specversion":"1.0","id":"1","source":"\#(source)","type":"x"}"#.utf8))
                },
            scale
        )
        #expect(answers.map { (try? $0.get()) != nil } == [true, true, false, false])
    }
}

private struct Attempts {
    var done: Set<String> = []

    mutating func attempt(_ what: String, _ body: () async throws -> Bool) async {
        if (try? await body()) == true { done.insert(what) }
    }
}
