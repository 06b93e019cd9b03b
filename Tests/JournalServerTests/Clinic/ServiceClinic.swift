import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Interchange
import Testing

@testable import JournalServer

/// A practice that is always open, with a service, a room, a specialist and a dog as its patient, made over HTTP.
struct ServiceClinic {
    let client: ServiceClient
    let practice: String
    let service = UUID().uuidString.lowercased()
    let room = UUID().uuidString.lowercased()
    let specialist: String
    let dog: String

    var address: String { "/v1/practices/\(practice)" }

    /// `client` becomes a manager and, if `member` is given, that account gets all other roles too.
    init(_ client: ServiceClient, member account: UUID? = nil) async throws {
        self.client = client
        let created = try await client.post("/v1/practices", #"{"name": "Two Rooms", "zone": "Europe/Zurich"}"#)
        let practice = try #require(created.text("id"), "\(created.text)")
        self.practice = practice
        let address = "/v1/practices/\(practice)"
        let roles = #"{"roles": ["veterinarian", "nurse", "receptionist", "manager"]}"#
        if let account {
            try await Self.sent(client, .put, "\(address)/members/\(account.uuidString.lowercased())", roles)
        }
        try await Self.sent(
            client,
            .put,
            "\(address)/timetable",
            #"{"from": "2000-01-01", "usual": ["mon-sun 00:00-24:00"]}"#
        )
        try await Self.sent(client, .put, "\(address)/rooms/\(room)", #"{"name": "Surgery"}"#)
        try await Self.sent(
            client,
            .put,
            "\(address)/services/\(service)",
            #"{"name": "Check-up", "type": "routine", "minutes": 30, "online": true, "nurseCompletes": true}"#
        )
        let added = try await client.post("\(address)/specialists", #"{"name": "Ada Roth"}"#)
        specialist = try #require(added.text("id"), "\(added.text)")
        let luna = #"{"subject": "animal", "profile": {"name": "Luna"}}"#
        let animal = try await client.post("/v1/records?similar=true", luna)
        dog = try #require(animal.text("record"))
        try await Self.sent(client, .put, "\(address)/patients/\(dog)", "{}")
    }

    private static func sent(
        _ client: ServiceClient,
        _ method: HTTPRequest.Method,
        _ path: String,
        _ body: String
    ) async throws {
        let answer = try await client.send(method, path, body)
        try #require(answer.status == 200, "\(path): \(answer.text)")
    }

    /// Books an appointment, and returns its id.
    func book(at start: String, _ more: String = "") async throws -> String {
        let answer = try await client.post("\(address)/appointments", request(at: start, more))
        return try #require(answer.text("entry"), "\(answer.text)")
    }

    func request(at start: String, _ more: String = "") -> String {
        #"{"record": "\#(dog)", "service": "\#(service)", "specialist": "\#(specialist)", "start": "\#(start)"\#(more)}"#
    }

    /// Books an appointment for which a change is possible.
    func book(for word: AppointmentVerb) async throws -> String {
        let now = Date().timeIntervalSince1970
        func minute(_ offset: Double) -> String {
            Instant(microseconds: Int64((now / 60).rounded(.down) + offset) * 60_000_000).description
        }
        switch word {
        case .book: return try await book(at: "2199-03-01T10:00", #", "holdUntil": "\#(minute(60))""#)
        case .missed: return try await book(at: minute(-60), #", "type": "emergency""#)
        case .complete:
            let id = try await book(at: "2199-03-01T10:00")
            _ = try await client.post("/v1/appointments/\(id)/begin", #"{"ahead": true}"#)
            return id
        case .reinstate:
            let id = try await book(at: "2199-03-01T10:00")
            _ = try await client.post("/v1/appointments/\(id)/cancel", "{}")
            return id
        default: return try await book(at: "2199-03-01T10:00")
        }
    }

    /// Adopts the built-in rules of triage, puts the dog on the board, and returns the id of the triage.
    func beginTriage(_ more: String = "") async throws -> String {
        let adoption = #"{"rules": "hj-triage/1", "veterinarian": "Dr. Ada Roth"}"#
        try await Self.sent(client, .post, "\(address)/triage/rules", adoption)
        let begun = try await client.post("\(address)/triage", #"{"record": "\#(dog)"\#(more)}"#)
        return try #require(begun.text("entry"), "\(begun.text)")
    }

    /// Begins a triage for which a change is possible.
    func triage(for word: TriageVerb) async throws -> String {
        let id = try await beginTriage()
        if word == .judge { _ = try await client.post("/v1/triage/\(id)/take", "{}") }
        return id
    }
}
