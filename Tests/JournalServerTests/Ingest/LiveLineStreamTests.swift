import EventLog
import Foundation
import HealthJournal
import HealthModel
import Interchange
import Testing

@testable import JournalCore
@testable import JournalServer

@Suite("Line streams over a live connection", .serialized, .enabled(if: Talk.hasCurl, "needs curl"))
struct LiveLineStreamTests {
    private func line(_ id: Int) -> String {
        #"{"specversion": "1.0", "id": "\#(id)", "source": "/lab", "type": "t", "data": \#(id)}"#
    }

    private func position(in answer: String) throws -> UInt64? {
        guard case .number(let text)? = try JSONReader.read(Array(answer.utf8))["position"] else { return nil }
        return UInt64(text)
    }

    @Test("Each line is answered before the next is sent, an invalid one by its number, and later lines are stored")
    func duplex() async throws {
        let fixture = try await ServiceFixture()
        let lab = try await fixture.account("lab", .tool, .append)
        try await fixture.live { port in
            let talk = try Talk.lines(port, lab.token)
            for id in 1...5 {
                try talk.say(id == 3 ? "{" : line(id))
                #expect(try await talk.comes { $0.lines.count == id })
            }
            let answers = try talk.lines.map { try JSONReader.read(Array($0.utf8)) }
            #expect(answers.map { $0.text("id") } == ["1", "2", nil, "4", "5"])
            #expect(answers[2]["line"] == .integer(3) && answers[2].text("error")?.isEmpty == false)
            talk.endInput()
            #expect(try await talk.comes(\.hasEnded))
            #expect(talk.lines.count == 5)
        }
    }

    @Test("After a client disconnects, all answered lines are stored, and it can resume")
    func goneAway() async throws {
        let fixture = try await ServiceFixture()
        let lab = try await fixture.account("lab", .tool, .append)
        let before = try fixture.journal.log.head()
        let count = 3_000
        let answered = try await fixture.live { port in
            let talk = try Talk.lines(port, lab.token)
            Thread.detachNewThread {
                // Lines sent after the disconnect fail, and are sent again below.
                for id in 1...count { guard (try? talk.say(line(id))) != nil else { return } }
            }
            #expect(try await talk.comes { $0.lines.count >= 100 })
            talk.stop()
            #expect(try await talk.comes(\.hasEnded))
            return talk.lines
        }
        print("\(answered.count) of \(count) lines were answered when the client went")
        // The service has stopped as well. Each answered line is in the log; each other line is stored completely or
        // not at all.
        let stored = try fixture.journal.log.events(after: before, limit: count * 2)
            .filter { $0.header.category == EventCategory.external.rawValue }
        let positions = Set(stored.map(\.position))
        for answer in answered { #expect(positions.contains(try #require(try position(in: answer)))) }
        try await fixture.live { port in
            let again = try Talk.lines(port, lab.token)
            Thread.detachNewThread {
                for id in 1...count { try? again.say(line(id)) }
                again.endInput()
            }
            #expect(try await again.comes(\.hasEnded))
            #expect(again.lines.count == count)
            #expect(Array(again.lines.prefix(answered.count)) == answered)
            #expect(Set(try again.lines.map { try position(in: $0) }).count == count)
        }
    }

    @Test("A stream without data is ended with an error")
    func stalled() async throws {
        let fixture = try await ServiceFixture()
        let lab = try await fixture.account("lab", .tool, .append)
        let limits = IngestLimits(silence: .milliseconds(200))
        try await fixture.live(ServerSettings(port: 0, ingest: limits)) { port in
            let talk = try Talk.pieces(port, lab.token)
            try talk.say(line(1))
            #expect(try await talk.comes(\.hasEnded))
            let answers = talk.answers
            // On a slow machine not even the first line arrives in time.
            if answers.count == 2 {
                #expect(try position(in: answers[0]) != nil)
                #expect(try JSONReader.read(Array(answers[1].utf8))["line"] == .integer(2))
                #expect(answers[1].contains("nothing was received for"))
            } else {
                #expect(answers.last?.contains("nothing was received for") == true)
            }
            let silent = try Talk.pieces(port, lab.token)
            #expect(try await silent.comes { $0.status == "408" })
        }
    }

    @Test("After a token is revoked, further lines are refused")
    func revoked() async throws {
        let fixture = try await ServiceFixture()
        let (journal, owner) = (fixture.journal, fixture.owner)
        let lab = try await fixture.account("lab", .tool, .append)
        let token = try await journal.accounts.issueToken(to: lab.id, scope: .append, expires: nil, owner)
        try await fixture.live { port in
            let talk = try Talk.pieces(port, token.secret)
            try talk.say(line(1))
            #expect(try await talk.comes { $0.answers.count == 1 })
            _ = try await journal.accounts.revokeToken(token.id, of: lab.id, owner)
            try talk.say(line(2))
            #expect(try await talk.comes(\.hasEnded))
            #expect(talk.answers.count == 2)
            #expect(talk.answers.last?.hasPrefix(#"{"line":2,"error":"#) == true)
        }
    }
}
