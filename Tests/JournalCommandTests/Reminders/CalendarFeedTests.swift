import Foundation
import Interchange
import TestSupport
import Testing

@Suite("Calendar feeds through a service")
struct CalendarFeedTests {
    static let hasLibrary = ((try? Outcome(of: "/usr/bin/python3", ["-c", "import icalendar"]))?.status ?? 1) == 0

    @Test(
        "The feed is read by icalendar, its fetches are recorded, and its secret is in no file",
        .enabled(if: CalendarFeedTests.hasLibrary, "needs python3-icalendar")
    )
    func feed() throws {
        let service = try LiveService()
        let record = try service.local.person()
        try service.json(
            "plan",
            "add",
            record,
            "Lisinopril",
            "--unit",
            "tablet",
            "--daily",
            "08:00=1,20:00=1",
            "--from",
            "2026-01-01"
        )
        let made = try service.json("calendar", "link", record)
        let path = try made.string("path")
        let secret = try #require(path.split(separator: "/").last?.dropLast(4))
        #expect(secret.hasPrefix("hjf_"))
        func fetch(_ path: String) throws -> Outcome {
            try Outcome(of: "/usr/bin/curl", ["-sS", "-m", "10", "-w", "%{stderr}%{http_code}", service.url + path])
        }
        let feed = try fetch(path)
        #expect(feed.message == "200")
        let program = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "read_feed.py").path
        let read = try Outcome(of: "/usr/bin/python3", [program], input: feed.output)
        #expect(read.status == 0, "\(read.message)")
        let events = try JSONReader.read(read.output).items
        let days = 7 + 1 + 60
        #expect(events.count == 2 * days)
        #expect(Set(try events.map { try $0.string("uid") }).count == events.count)
        #expect(events.allSatisfy { $0["summary"] == "Something is due" && $0["kind"] == "VEVENT" })
        #expect(!feed.text.contains("Lisinopril"))
        #expect(try fetch(path + "?as=vtodo").text.contains("BEGIN:VTODO"))

        let access = try Outcome(
            of: "/usr/bin/curl",
            [
                "-sS", "-m", "10", "-H", "Authorization: Bearer \(service.token)",
                "\(service.url)/v1/records/\(record)/access",
            ]
        )
        let fetches = access.text.matches(of: /"action": ?"calendar"/)
        #expect(fetches.count >= 2)
        let found = try Outcome(of: "/usr/bin/grep", ["-r", "-l", "-a", String(secret), service.local.journal])
        #expect(found.status == 1, "\(found.text)")
        let listed = try service.json("calendar", "list", record).items
        #expect(try listed.map { try $0.string("detail") } == ["neutral"])
        try service.expectAlike("calendar", "list", record)

        try service.run("calendar", "unlink", record, try made.string("id")).succeeded()
        #expect(try fetch(path).message == "404")
        let metrics = try fetch("/metrics").text
        #expect(metrics.contains(#"route="/calendar/{feed}""#))
        #expect(!metrics.contains(secret))
    }

    @Test("Guesses of addresses are limited, and an address that works is not")
    func guesses() throws {
        let service = try LiveService()
        let record = try service.local.person()
        let path = try service.json("calendar", "link", record).string("path")
        func status(_ path: String) throws -> String {
            try Outcome(
                of: "/usr/bin/curl",
                ["-sS", "-m", "10", "-o", "/dev/null", "-w", "%{http_code}", service.url + path]
            )
            .text
        }
        let guesses = try (0..<24).map { try status("/calendar/hjf_\($0).ics") }
        #expect(guesses.prefix(20).allSatisfy { $0 == "404" })
        #expect(guesses.last == "429")
        #expect(try status(path) == "200")
    }

    @Test("A calendar can be written to a file, from the folder and through a service")
    func write() throws {
        let service = try LiveService()
        let record = try service.local.person()
        try service.json(
            "plan",
            "add",
            record,
            "Lisinopril",
            "--unit",
            "tablet",
            "--daily",
            "08:00=1",
            "--from",
            "2026-01-01"
        )
        let (here, there) = (service.local.folder.path + "/here.ics", service.local.folder.path + "/there.ics")
        let options = ["--detail", "names", "--times", "floating"]
        try service.local.run(["calendar", "write", record, "-o", here] + options).succeeded()
        try service.run(["calendar", "write", record, "-o", there] + options).succeeded()
        let text = try String(contentsOfFile: here, encoding: .utf8)
        #expect(text.contains("SUMMARY:Lisinopril\\, 1 tablet"))
        #expect(try String(contentsOfFile: there, encoding: .utf8) == text)
    }
}
