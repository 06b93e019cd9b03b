import Foundation
import Interchange
import TestSupport
import Testing

/// A program of Python that prints its port and then a line of JSON for each message that it receives.
final class Receiver {
    let port: String
    private let process: ChildProcess

    init(
        _ tool: CommandLineTool,
        _ name: String,
        _ arguments: String...,
        python: String = "/usr/bin/python3"
    ) throws {
        let program = URL(filePath: #filePath).deletingLastPathComponent().appending(path: name).path
        process = try tool.start(program: python, [program] + arguments)
        port = try #require(process.readLine(), "it did not start")
    }

    /// Waits for the next message.
    func next() throws -> JSONValue { try JSONReader.read(Array(try #require(process.readLine()).utf8)) }

    /// Stops the program, and returns the messages that were not read yet.
    func stop() throws -> [JSONValue] {
        process.signal(SIGTERM)
        var rest: [JSONValue] = []
        while let line = process.readLine() { rest.append(try JSONReader.read(Array(line.utf8))) }
        process.wait()
        return rest
    }
}

@Suite("Reminders on the command line")
struct ReminderTests {
    static let hasMail: Bool =
        FileManager.default.isExecutableFile(atPath: "/usr/bin/msmtp")
        && ((try? Outcome(of: "/usr/bin/python3", ["-c", "import aiosmtpd"]))?.status ?? 1) == 0

    private let tool: CommandLineTool
    private let record: String
    private let plan: String

    init() throws {
        tool = try CommandLineTool(hasJournal: false)
        try tool.run("init", "--zone", "Europe/Zurich").succeeded()
        record = try tool.person()
        plan =
            try tool.json(
                "plan",
                "add",
                record,
                "Lisinopril",
                "--unit",
                "tablet",
                "--daily",
                "02:30=1",
                "--from",
                "2027-03-01"
            )
            .string("entry")
    }

    /// A program with the interface of sendmail: msmtp, which passes mails to a server of the test.
    private func sendmail(_ server: Receiver) throws -> String {
        let settings = try tool.write("host 127.0.0.1\nport \(server.port)\nfrom journal@example.org\n", to: "msmtprc")
        let program = try tool.write("#!/bin/sh\nexec /usr/bin/msmtp --file=\(settings) \"$@\"\n", to: "sendmail")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: settings)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        return program
    }

    @Test("In the night of the clock change, one reminder is due, at the moment of the time that the clock skips")
    func clockChange() throws {
        try tool.run("reminders", "add", "email", "anna@example.org").succeeded()
        let skipped = try tool.run("reminders", "run", "--now", "2027-03-28T01:30:00Z", "--dry-run").succeeded()
        #expect(skipped.text.split(separator: "\n").count == 1)
        #expect(skipped.text.hasPrefix("dose.due 2027-03-28T02:30 to email "))
        let before = try tool.run("reminders", "run", "--now", "2027-03-28T00:30:00Z", "--dry-run").succeeded()
        #expect(before.text.isEmpty)
        let due = try tool.json("due", record, "--from", "2027-03-28", "--to", "2027-03-29").items
        #expect(try due.map { try $0.string("local") } == ["2027-03-28T03:30:00+02:00"])
        // A dry run records nothing.
        #expect(try tool.run("reminders", "run", "--now", "2027-03-28T01:30:00Z", "--dry-run").text == skipped.text)
    }

    @Test("A mail is sent once, without names", .enabled(if: ReminderTests.hasMail, "needs msmtp and aiosmtpd"))
    func mail() throws {
        let server = try Receiver(tool, "mail_server.py")
        let program = try sendmail(server)
        try tool.run("reminders", "add", "email", "anna@example.org").succeeded()
        let run = ["reminders", "run", "--now", "2027-03-28T01:30:00Z"]
        for _ in 0..<2 { try tool.run(run + ["--reminder-sendmail", program]).succeeded() }
        let mails = try server.stop()
        #expect(mails.count == 1)
        let mail = try #require(mails.first)
        #expect(mail["to"] == ["anna@example.org"])
        #expect(mail["text"] == "Something is due")
        #expect(try !mail.string("whole").contains("Lisinopril"))
    }

    @Test(
        "A mail is in the language that the account prefers",
        .enabled(if: ReminderTests.hasMail, "needs msmtp and aiosmtpd")
    )
    func mailInGerman() throws {
        let server = try Receiver(tool, "mail_server.py")
        let program = try sendmail(server)
        try tool.run("account", "preferences", "language=de").succeeded()
        try tool.run("reminders", "add", "email", "anna@example.org", "--detail", "names").succeeded()
        try tool.run("reminders", "run", "--now", "2027-03-28T01:30:00Z", "--reminder-sendmail", program).succeeded()
        let mail = try #require(try server.stop().first)
        let text = try mail.string("text")
        #expect(text.contains("fällig um"))
        #expect(text.contains("Lisinopril"))
        #expect(try mail.string("whole").contains("Subject: Erinnerung"))
    }

    @Test(
        "A kill between the mail and its event loses no mail and sends at most one more",
        .enabled(if: ReminderTests.hasMail, "needs msmtp and aiosmtpd")
    )
    func killed() throws {
        let server = try Receiver(tool, "mail_server.py")
        let program = try sendmail(server)
        // Passes the mail on, and does not end: the command is killed while it waits for the program.
        let stalling = try tool.write("#!/bin/sh\n\(program) \"$@\"\nexec sleep 60\n", to: "stalling")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: stalling)
        try tool.run("reminders", "add", "email", "anna@example.org").succeeded()
        let now = "2027-03-28T01:30:00Z"
        let process = try tool.start("reminders", "run", "--now", now, "--reminder-sendmail", stalling)
        let first = try server.next()
        process.signal(SIGKILL)
        process.wait()
        for _ in 0..<2 { try tool.run("reminders", "run", "--now", now, "--reminder-sendmail", program).succeeded() }
        let rest = try server.stop()
        #expect(rest.count == 1)
        // A mail program shows mails of one id once.
        #expect(rest.first?["id"] == first["id"])
    }

    @Test("A destination that the operator has not named gets nothing, and the refusal is recorded")
    func notNamed() throws {
        let server = try Receiver(tool, "http_server.py")
        try tool.run("reminders", "add", "ntfy", "http://127.0.0.1:\(server.port)/topic").succeeded()
        try tool.run("reminders", "add", "ntfy", "http://localhost:\(server.port)/topic").succeeded()
        try tool.run("reminders", "add", "email", "anna@example.org").succeeded()
        let run = ["reminders", "run", "--now", "2027-03-28T01:30:00Z"]
        // A name that leads to this machine needs the address as well.
        let outcome = try tool.run(run + ["--reminder-hosts", "localhost", "--reminder-hosts", "192.0.2.0/24"])
        #expect(outcome.status == 1)
        #expect(outcome.message.contains("3 of 3 reminders could not be sent"))
        #expect(outcome.text.split(separator: "\n").count == 3)
        #expect(outcome.text.split(separator: "\n").allSatisfy { $0.contains(": not sent, ") })
        let replay = ChildProcess.shipped("healthjournal-replay")
        let access = try tool.run(replay, ["access", "--record", record, "--format", "json"]).succeeded().text
        #expect(access.matches(of: /reminder/).count >= 3)
        #expect(try tool.run(run + ["--reminder-hosts", "127.0.0.1"]).text.contains("not sent"))
        let received = try server.stop()
        #expect(received.map { $0["path"] } == ["/topic"])
        #expect(received.map { $0["body"] } == ["Something is due"])
    }

    @Test("A running service sends a reminder when it is due, to a webhook with a signature")
    func service() throws {
        let server = try Receiver(tool, "http_server.py")
        let address = "http://127.0.0.1:\(server.port)/hook"
        let service = try tool.background(
            CommandLineTool.executable,
            ["serve", "--port", "0", "--reminder-hosts", "127.0.0.0/8", "--public-url", "https://journal.example.org"]
        )
        // The service follows what other processes append.
        let made = try tool.json("reminders", "add", "webhook", address, "--detail", "names")
        let due = Date(timeIntervalSinceNow: 4).formatted(.iso8601)
        try tool.json("plan", "add", record, "Patch", "--unit", "patch", "--every", "36h", "--start", due)
        let message = try server.next()
        let body = try JSONReader.read(Array(message.string("body").utf8))
        #expect(body["type"] == "org.healthjournal.dose.due")
        #expect(try #require(body["data"]).string("text").hasPrefix("Patch"))
        #expect(body["data"]?["link"] == .string("https://journal.example.org/records/\(record)/today"))
        let key = try made.string("secret")
        let check = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "check_signature.py").path
        let bytes = JSONWriter.bytes(message)
        #expect(try Outcome(of: "/usr/bin/python3", [check, key], input: bytes).status == 0)
        #expect(try Outcome(of: "/usr/bin/python3", [check, "whsec_AAAA"], input: bytes).status == 1)
        // The sending is on record soon, so that it is not due again; and a command does not send beside the service.
        var left = 50
        while try !tool.json("reminders", "run", "--dry-run").items.isEmpty, left > 0 {
            left -= 1
            Thread.sleep(forTimeInterval: 0.1)
        }
        #expect(left > 0)
        let other = try tool.run("reminders", "run")
        #expect(other.status == 4)
        #expect(other.message.contains("a service has this journal open"))
        #expect(service.firstLine.hasPrefix("serving on "))
        #expect(try server.stop().isEmpty)
    }

    @Test("A host that accepts connections and never answers delays nobody else's reminders, and neither the stop")
    func silentHost() throws {
        let (silent, server) = (try Receiver(tool, "silent_server.py"), try Receiver(tool, "http_server.py"))
        let service = try tool.background(
            CommandLineTool.executable,
            ["serve", "--port", "0", "--reminder-hosts", "127.0.0.1"]
        )
        try tool.run("account", "add", "mallory").succeeded()
        let mine = try tool.json("record", "create", "--given-name", "Mal", "--as", "mallory").string("record")
        for number in 0..<8 {
            let address = "http://127.0.0.1:\(silent.port)/\(number)"
            try tool.run("reminders", "add", "ntfy", address, "--as", "mallory").succeeded()
        }
        try tool.run("reminders", "add", "ntfy", "http://127.0.0.1:\(server.port)/anna").succeeded()
        let due = Date(timeIntervalSinceNow: 5)
        func add(_ record: String, _ account: String, after seconds: TimeInterval) throws {
            let start = due.addingTimeInterval(seconds).formatted(.iso8601)
            let plan = ["plan", "add", record, "Patch", "--unit", "patch", "--every", "36h", "--start", start]
            try tool.run(plan + ["--as", account]).succeeded()
        }
        try add(mine, "mallory", after: 0)
        try add(record, "owner", after: 1)
        _ = try silent.next()
        let message = try server.next()
        #expect(message["path"] == "/anna")
        // One attempt alone waits ten seconds for the silent host.
        #expect(Date.now < due.addingTimeInterval(8))
        // Attempts that are in progress do not keep the service from stopping.
        #expect(service.stop() == 0)
        #expect(try server.stop().isEmpty)
        // What was not sent is still due.
        let left = try tool.json("reminders", "run", "--dry-run").items
        #expect(left.count == 8)
        let outcome = try tool.run("reminders", "run", "--reminder-hosts", "127.0.0.1")
        #expect(outcome.status == 1)
        #expect(outcome.message.contains("8 of 8 reminders could not be sent"))
        #expect(
            outcome.text.contains("does not answer within 10 seconds") && outcome.text.contains("its host does not")
        )
        #expect(try silent.stop().count < 8)
    }

    @Test("A redirect is not followed, and a message that was not accepted is sent again")
    func redirect() throws {
        let server = try Receiver(tool, "http_server.py")
        let id = try tool.json("reminders", "add", "ntfy", "http://127.0.0.1:\(server.port)/moved").string("id")
        let run = ["reminders", "run", "--now", "2027-03-28T01:30:00Z", "--reminder-hosts", "127.0.0.1"]
        for _ in 0..<2 {
            let outcome = try tool.run(run)
            #expect(outcome.text.contains("not sent, the channel answers with the status 307"))
            #expect(outcome.status == 1)
            #expect(outcome.message.contains("1 of 1 reminders could not be sent"))
        }
        #expect(try tool.run("reminders", "test", id).status == 4)
        #expect(try tool.run("reminders", "test", id, "--reminder-hosts", "127.0.0.1").status == 1)
        #expect(try server.stop().map { $0["path"] } == ["/moved", "/moved", "/moved"])
        try tool.run("reminders", "remove", id).succeeded()
        #expect(try tool.json("reminders", "list").items.isEmpty)
        #expect(try tool.run(run).succeeded().text.isEmpty)
    }

    @Test("Postponing shows on the day, for the folder and through a service")
    func snooze() throws {
        let due = Date(timeIntervalSinceNow: 60).formatted(.iso8601)
        let until = Date(timeIntervalSinceNow: 1_800).formatted(.iso8601)
        let patch =
            try tool.json(
                "plan",
                "add",
                record,
                "Patch",
                "--unit",
                "patch",
                "--every",
                "36h",
                "--start",
                due
            )
            .string("entry")
        try tool.run("dose", "snooze", patch, "--until", until).succeeded()
        let day = try tool.json("today", record)
        let dose = try #require(day["doses"]?.items.first { $0["plan"] == .string(patch) })
        #expect(dose["snoozedUntil"] == .string(until))
        #expect(dose["state"] == "open")
        #expect(try tool.run("today", record).succeeded().text.contains("snoozed until"))
        #expect(try tool.run("dose", "snooze", patch, "--until", "2020-01-01T00:00:00Z").status == 1)
    }
}
