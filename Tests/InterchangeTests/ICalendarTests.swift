import Foundation
import HealthModel
import TestSupport
import Testing

@testable import Interchange

@Suite("Calendars")
struct ICalendarTests {
    private static func calendar(_ summary: String, _ kind: ICalendarComponent.Kind = .event) throws -> ICalendar {
        ICalendar(
            name: "Health journal",
            components: [
                ICalendarComponent(
                    kind,
                    id: "0a7fb7a6-2f5c-4a01-b1d1-d3a3c6a2f001",
                    sequence: 3,
                    changed: try Instant(parsing: "2026-03-01T10:00:00.25Z"),
                    start: .utc(try Instant(parsing: "2026-03-29T01:30:00Z")),
                    summary: summary,
                    description: "with water;\nslowly",
                    hasAlarm: true,
                    completed: kind == .task ? try Instant(parsing: "2026-03-29T01:35:00Z") : nil
                )
            ]
        )
    }

    @Test("The text has CRLF line ends, short lines and escaped values")
    func text() throws {
        let long = "Ärztlich verordnet, 2½ Tabletten \\ täglich; " + String(repeating: "日本語", count: 30)
        let text = try ICalendarTests.calendar(long).text
        let lines = text.components(separatedBy: "\r\n")
        #expect(lines.last == "")
        #expect(!text.replacing("\r\n", with: "").contains { $0 == "\r" || $0 == "\n" })
        #expect(lines.allSatisfy { $0.utf8.count <= 75 })
        let unfolded = text.replacing("\r\n ", with: "")
        #expect(unfolded.contains("SUMMARY:Ärztlich verordnet\\, 2½ Tabletten \\\\ täglich\\; 日本語"))
        #expect(unfolded.contains("DESCRIPTION:with water\\;\\nslowly\r\n"))
        #expect(unfolded.contains("DTSTAMP:20260301T100000Z\r\n"))
        #expect(unfolded.contains("DTSTART:20260329T013000Z\r\n"))
        #expect(unfolded.contains("BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:PT0M\r\n"))
    }

    @Test(
        "Libraries for Python read what was written",
        .enabled(if: ICalendarTests.hasLibraries, "run: tools/install-needs python3-icalendar python3-vobject"),
        arguments: ICalendarComponent.Kind.allCases
    )
    func libraries(kind: ICalendarComponent.Kind) throws {
        let summary = "Grün, 2½ \\ x; " + String(repeating: "日本語", count: 40)
        var calendar = try ICalendarTests.calendar(summary, kind)
        let isVisit = kind == .event
        if isVisit {
            calendar.components[0].end = try Instant(parsing: "2026-03-29T02:00:00Z")
            calendar.components[0].location = "Surgery; 2nd floor, left"
            calendar.components[0].status = .confirmed
            calendar.components[0].isBusy = true
        }
        let text = calendar.text
        let program = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "read_calendar.py").path
        let outcome = try Outcome(of: "/usr/bin/python3", [program], input: Array(text.utf8))
        #expect(outcome.status == 0, "\(outcome.message)")
        let read = try JSONReader.read(outcome.output)
        for library in ["icalendar", "vobject"] {
            let event = try #require(read[library])
            #expect(event["kind"] == .string(kind.rawValue))
            #expect(event["summary"] == .string(summary))
            #expect(event["description"] == .string("with water;\nslowly"))
            #expect(event["start"] == .string("2026-03-29T01:30:00+00:00"))
            #expect(event["alarms"] == .integer(1))
            #expect(event["end"] == .string(isVisit ? "2026-03-29T02:00:00+00:00" : ""))
            #expect(event["location"] == .string(isVisit ? "Surgery; 2nd floor, left" : ""))
            #expect(event["status"] == .string(isVisit ? "CONFIRMED" : "COMPLETED"))
            #expect(event["busy"] == .string(isVisit ? "OPAQUE" : ""))
        }
    }

    static var hasLibraries: Bool {
        ((try? Outcome(of: "/usr/bin/python3", ["-c", "import icalendar, vobject"]))?.status ?? 1) == 0
    }
}
