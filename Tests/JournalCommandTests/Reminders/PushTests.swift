import Foundation
import Interchange
import TestSupport
import Testing

/// The Python that tools/test fills with packages from PyPI.
private let python: String = {
    let project = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    return project.appending(path: ".build-python/bin/python3").path
}()

@Suite(
    "Reminders to a browser",
    .enabled(
        if: (try? Outcome(of: python, ["-c", "import http_ece"]))?.status == 0,
        "run: tools/python-packages .build-python http-ece"
    )
)
struct PushTests {
    private let tool: CommandLineTool
    private let record: String
    private let server: Receiver
    private let keys: JSONValue

    init() throws {
        tool = try CommandLineTool(hasJournal: false)
        try tool.run("init", "--zone", "UTC").succeeded()
        record = try tool.person()
        try tool.run(
            "plan",
            "add",
            record,
            "Lisinopril",
            "--unit",
            "tablet",
            "--daily",
            "08:00=1",
            "--from",
            "2027-03-01"
        )
        .succeeded()
        server = try Receiver(tool, "push_server.py", python: python)
        keys = try server.next()
    }

    private func add(_ path: String, _ more: String...) throws -> String {
        let (key, secret) = (try keys.string("p256dh"), try keys.string("auth"))
        let address = "http://127.0.0.1:\(server.port)\(path)"
        let arguments = ["reminders", "add", "webpush", address, "--p256dh", key, "--auth", secret, "--format", "json"]
        return try tool.run(arguments + more).succeeded().json.string("id")
    }

    private let run = ["reminders", "run", "--now", "2027-03-28T08:30:00Z", "--reminder-hosts", "127.0.0.1"]

    @Test("A browser gets a message that an independent implementation decrypts, without names unless they were chosen")
    func message() throws {
        _ = try add("/a")
        _ = try add("/b", "--detail", "names")
        try tool.run(run).succeeded()
        let messages = try [server.next(), server.next()].sorted { try $0.string("path") < $1.string("path") }
        #expect(messages.allSatisfy { $0["problem"] == nil }, "\(messages)")
        let texts = messages.map { $0["message"]?["text"] }
        #expect(texts == ["Something is due", "Lisinopril, 1 tablet: due at 08:00"])
        #expect(messages[0]["message"]?["path"] == .string("/records/\(record)/today"))
        #expect(messages[0]["message"]?["title"] == "Health journal")
        #expect(messages[0]["Urgency"] == "high")
        // The dose can be logged until two hours after its time.
        let seconds = try #require(Int(try messages[0].string("TTL")))
        #expect(seconds > 60)
        #expect(seconds < 86_400)
        #expect(try messages[0].string("Topic").wholeMatch(of: /[0-9a-f]{32}/) != nil)
        #expect(messages[0]["Topic"] != messages[1]["Topic"])
        #expect(messages[0]["length"] == messages[1]["length"])
        // A browser accepts messages only from the key for which it subscribed.
        let key = try tool.run("reminders", "push-key").succeeded().text.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(messages.allSatisfy { $0["sender"] == .string(key) })
        try tool.run(run).succeeded()
        #expect(try server.stop().isEmpty)
    }

    @Test("A subscription that the browser has ended is removed", arguments: ["/gone", "/missing"])
    func ended(path: String) throws {
        let id = try add(path)
        // The reminder did not arrive, so the run fails once.
        let outcome = try tool.run(run)
        #expect(outcome.status == 1)
        #expect(outcome.text.contains("has ended the subscription"))
        #expect(try tool.json("reminders", "list").items.isEmpty)
        #expect(try tool.run(run).succeeded().text.isEmpty)
        #expect(try tool.run("reminders", "test", id, "--reminder-hosts", "127.0.0.1").status == 2)
        #expect(try server.stop().count == 1)
    }

    @Test("A test message arrives, and a push service that the operator has not named gets none")
    func test() throws {
        let id = try add("/a")
        #expect(try tool.run("reminders", "test", id).status == 4)
        try tool.run("reminders", "test", id, "--reminder-hosts", "127.0.0.1").succeeded()
        let told = try server.stop()
        #expect(told.count == 1)
        #expect(told.first?["problem"] == nil)
        #expect(try told.first?["message"]?.string("text").hasPrefix("This is a test") == true)
    }

    @Test("A subscription needs valid keys and https, and is added once")
    func refused() throws {
        let (key, secret) = (try keys.string("p256dh"), try keys.string("auth"))
        func outcome(_ address: String, _ key: String, _ secret: String) throws -> Outcome {
            try tool.run("reminders", "add", "webpush", address, "--p256dh", key, "--auth", secret)
        }
        let address = "https://push.example.org/x"
        #expect(try outcome(address, "", secret).message.contains("p256dh"))
        #expect(try outcome(address, key.replacing(key.prefix(8), with: "BAAAAAAA"), secret).message.contains("p256dh"))
        #expect(try outcome(address, key, "AAAA").message.contains("auth"))
        #expect(try outcome("http://push.example.org/x", key, secret).message.contains("https"))
        try outcome(address, key, secret).succeeded()
        #expect(try outcome(address, key, secret).status == 4)
        // A secret that begins with a hyphen is no option.
        try outcome("https://push.example.org/y", key, "-" + secret.dropFirst()).succeeded()
        // The keys are stored sealed.
        let events = try tool.run(ChildProcess.shipped("healthjournal-replay"), ["trail", "--format", "json"]).text
        #expect(!events.contains(secret))
        #expect(!events.contains("push.example.org"))
        #expect(try server.stop().isEmpty)
    }
}
