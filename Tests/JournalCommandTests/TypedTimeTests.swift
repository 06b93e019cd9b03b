import Interchange
import TestSupport
import Testing

@testable import HealthModel

@Suite("Times and names that are typed")
struct TypedTimeTests {
    @Test(
        "Hours get two digits wherever a time of day is typed, and nothing else is changed",
        arguments: [
            ("8:00", "08:00"), ("08:00", "08:00"), ("2026-03-01T8:30", "2026-03-01T08:30"),
            ("2026-03-01 8:30:15Z", "2026-03-01 08:30:15Z"), ("mon,thu 8:00-9:30", "mon,thu 08:00-09:30"),
            ("8:00=1,20:00=2", "08:00=1,20:00=2"), ("2@8:00=1:2", "2@08:00=01:2"), ("108:00", "108:00"),
            (":30", ":30"), ("#42", "#42"), ("", ""), ("8:5", "08:5"), ("٨:00", "٨:00"),
        ]
    )
    func twoDigits(_ typed: String, _ meant: String) {
        #expect(WallTime.withTwoDigits(typed) == meant)
    }

    @Test("Times of plans, entries and queries may have an hour of one digit")
    func oneDigit() throws {
        let tool = try CommandLineTool()
        let record = try tool.person()
        let times = "8:00=1,20:30=1"
        let begun = ["plan", "add", record, "Lisinopril", "--daily", times, "--from", "2026-03-01", "--format", "json"]
        let plan = try tool.run(begun).succeeded().json.string("entry")
        #expect(try tool.run("plan", "show", plan).succeeded().text.contains("08:00"))
        try tool.run("weight", "log", record, "70kg", "--date", "2026-03-01T8:05").succeeded()
        try tool.run("weight", "log", record, "70kg", "--date", "2026-03-02 8:05").succeeded()
        #expect(try tool.run("entry", "list", record, "weight").succeeded().text.contains("08:05"))
        try tool.run("record", "show", record, "--as-of", "2030-01-01T8:00").succeeded()
        try tool.run("dose", "take", "\(plan)@2026-03-02T8:00", "--at", "2026-03-02T8:05", "--yes").succeeded()
    }

    @Test("A usage error names the option that is wrong")
    func options() throws {
        let tool = try CommandLineTool()
        let record = try tool.person()
        for (arguments, option) in [
            (["--daily", "25:00=1"], "--daily"), (["--month-days", "40@08:00"], "--month-days"),
            (["--every", "8x", "--start", "2026-03-01T08:00"], "--every"),
            (["--daily", "08:00=1", "--gap", "soon"], "--gap"),
            (["--daily", "08:00=1", "--from", "2026-13-01"], "--from"),
        ] {
            let refused = try tool.run(["plan", "add", record, "Lisinopril"] + arguments)
            #expect(refused.status == 64, "\(arguments): \(refused.message)")
            #expect(refused.message.contains(option), "\(arguments): \(refused.message)")
        }
        let scope = try tool.run("token", "issue", "owner", "--scope", "everything")
        #expect(scope.status == 64, "\(scope.message)")
        #expect(scope.message.contains("--scope"), "\(scope.message)")
    }

    @Test("A dose is logged by the name of its plan, and of its record where there are several")
    func names() throws {
        let tool = try CommandLineTool()
        let record = try tool.person()
        let plan = try tool.json("plan", "add", record, "Lisinopril", "--as-needed", "--amount", "1").string("entry")
        try tool.run("dose", "take", "lisinopril", "--as-needed").succeeded()
        try tool.run("plan", "show", "lisin").succeeded()
        let unknown = try tool.run("dose", "take", "lisniopril", "--as-needed")
        #expect(unknown.status == 2, "\(unknown.message)")
        #expect(unknown.message.contains(plan.prefix(8)), "\(unknown.message)")
        #expect(!unknown.message.contains("Lisinopril"))
        _ = try tool.person("Walburga")
        let ambiguous = try tool.run("dose", "take", "lisinopril", "--as-needed")
        #expect(ambiguous.status == 1, "\(ambiguous.message)")
        #expect(ambiguous.message.contains("--record"), "\(ambiguous.message)")
        try tool.run("dose", "take", "lisinopril", "--record", "ottilie", "--as-needed", "--yes").succeeded()
        #expect(try tool.json("entry", "list", record, "dose").items.count == 2)
        #expect(try tool.run("dose", "take", "lisinopril", "--record", "walburga", "--as-needed").status == 2)
    }
}
