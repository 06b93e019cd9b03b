import Foundation
import Interchange
import TestSupport
import Testing

@Suite("Invalid input")
struct BadInputTests {
    /// Runs a command that must fail, and checks that the error gives the reason, changes nothing and repeats no value.
    @discardableResult
    private func refused(
        _ tool: CommandLineTool,
        _ status: Int32,
        naming words: [String],
        _ arguments: [String],
        input: [UInt8] = [],
        hiding secrets: [String] = [],
        _ location: SourceLocation = #_sourceLocation
    ) throws -> String {
        let before = try tool.position
        let outcome = try tool.run(arguments, input: input)
        #expect(outcome.status == status, "\(outcome.message)", sourceLocation: location)
        #expect(outcome.output.isEmpty, sourceLocation: location)
        for word in words {
            #expect(outcome.message.contains(word), "\(word): \(outcome.message)", sourceLocation: location)
        }
        for secret in secrets { #expect(!outcome.message.contains(secret), "\(secret)", sourceLocation: location) }
        #expect(try tool.position == before, sourceLocation: location)
        return outcome.message
    }

    @Test("An invalid value is refused with its field, and not repeated in the message")
    func values() throws {
        let tool = try CommandLineTool()
        let record = try tool.person()
        let add = ["entry", "add", record]
        let email = "who@" + String(repeating: "x", count: 10_000) + ".example"
        for (arguments, field) in [
            (add + ["weight", "value=NaN"], "value"), (add + ["weight", "value=1e400"], "value"),
            (add + ["weight", "value=-5"], "value"), (add + ["weight", "unit=kg"], "value"),
            (["weight", "log", record, "NaN"], "value: not a number"),
            (["weight", "log", record, "inf"], "value: not a number"),
            (["weight", "log", record, "72.5stone"], "unit"),
            (add + ["weight", "value=70", "--date", "1850-06-01"], "date"),
            (add + ["weight", "value=70", "--date", "2024-02-30"], "date"),
            (add + ["doctor", "name=Wyss", "email=\(email)"], "email"), (add + ["doctor", "nosuch=1"], "nosuch"),
            (add + ["drug", "name=a\u{1B}[2J"], "name"),
            (["record", "set", record, "birthdate=1850-01-01"], "birthdate"),
            (["record", "set", record, "breed=Poodle"], "breed"),
        ] as [([String], String)] {
            try refused(tool, 1, naming: [field], arguments, hiding: ["Wyss", "Poodle", "1850", "xxxx"])
        }
    }

    /// Root may read all files, unless it gives up the capabilities for that.
    private static let limited = ["--bounding-set", "-dac_override,-dac_read_search"]
    private static let canLimit =
        getuid() != 0 || (try? Outcome(of: "/usr/bin/setpriv", limited + ["/bin/true"]))?.status == 0

    @Test("A journal that may not be read is not missing", .enabled(if: BadInputTests.canLimit, "needs setpriv"))
    func closedFolder() throws {
        let tool = try CommandLineTool()
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: tool.journal)
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: tool.journal) }
        let list = ["record", "list"]
        let outcome =
            getuid() != 0
            ? try tool.run(list)
            : try tool.run("/usr/bin/setpriv", BadInputTests.limited + [CommandLineTool.executable] + list)
        #expect(outcome.status == 1, "\(outcome.message)")
        #expect(outcome.message.contains("may not read \(tool.journal)"), "\(outcome.message)")
        #expect(!outcome.message.contains("init"))
    }

    /// Mounts a read-only file system at the first argument, and runs the others as a command.
    private static let mounting = [
        "-m", "/bin/sh", "-c", #"mount -t tmpfs -o ro none "$1" && shift && exec "$@""#, "sh",
    ]
    private static let canMount =
        (try? Outcome(of: "/usr/bin/unshare", mounting + ["/mnt", "/bin/true"]))?.status == 0

    @Test("A read-only file system is named", .enabled(if: BadInputTests.canMount, "needs to mount a file system"))
    func readOnly() throws {
        let tool = try CommandLineTool(hasJournal: false)
        let folder = tool.folder.path + "/mounted"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let command = [CommandLineTool.executable, "init", "--journal", folder + "/journal"]
        let outcome = try tool.run("/usr/bin/unshare", BadInputTests.mounting + [folder] + command)
        #expect(outcome.status == 1 && outcome.message.contains("the file system is read-only"), "\(outcome.message)")
        #expect(outcome.message.contains("\(folder)/journal"))
    }

    @Test("A folder in place of the key file is named")
    func folderOfKeys() throws {
        let tool = try CommandLineTool()
        let outcome = try tool.run("record", "list", "--master-key-file", tool.folder.path)
        #expect(
            outcome.status != 0 && outcome.message.contains("\(tool.folder.path) is a folder"),
            "\(outcome.message)"
        )
        #expect(!outcome.message.contains("chmod"))
    }

    @Test("Missing records and entries are not found, and invalid commands show their usage")
    func usage() throws {
        let tool = try CommandLineTool()
        let record = try tool.person()
        try refused(tool, 2, naming: ["record"], ["record", "show", UUID().uuidString])
        // An attempt on a record by the beginning of its id, or by its name, is recorded.
        let attempt = try tool.run("record", "show", "ffffffff")
        #expect(attempt.status == 2)
        #expect(attempt.message.contains("record"))
        #expect(attempt.output.isEmpty)
        try refused(tool, 2, naming: ["entry"], ["entry", "retract", UUID().uuidString])
        try refused(tool, 2, naming: ["no position"], ["record", "show", record, "--as-of", "99999"])
        for arguments in [
            ["entry", "add", record, "mood", "value=good"], ["entry", "list", record, "mood"], ["nonsense"],
            ["record", "show", record, "--as-of", "someday"], ["record", "create", "--nosuch", "1"],
            ["record", "create", "--given-name"], ["entry", "correct", record, "value"], ["export", record],
            ["caregiver", "grant", record, "owner", "--sections", "everything"],
            ["entry", "add", record, "weight", "value=1", "--id", "7"],
        ] { try refused(tool, 64, naming: ["Error"], arguments) }
    }

    @Test("Invalid documents are refused")
    func documents() throws {
        let tool = try CommandLineTool()
        let record = try tool.person()
        let whole = PurusFixtures.cloudKit(weights: ["61.25", "62.5"])
        let cases: [(String, [String])] = [
            (String(whole.dropLast(40)), []), ("", []), ("[]", []), ("null", []),
            (String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000), ["64"]),
            (whole.replacing("Ottilie", with: #"\ud800"#), ["personalGivenName"]),
            (whole.replacing("Ottilie", with: #"\udc00\ud800"#), ["personalGivenName"]),
            (whole.replacing("61.25", with: "NaN"), ["weightEntries"]),
            (whole.replacing("61.25", with: "-61.25"), ["weightEntries[0]"]),
            (whole.replacing("1672531200", with: "-3786825600"), ["weightEntries[0]", "epoch"]),
            (whole.replacing(#"\"weightKg\": 61.25"#, with: #"\"weightKg\": {}"#), ["weightEntries[0]"]),
        ]
        for (index, (text, words)) in cases.enumerated() {
            let file = try tool.write(text, to: "bad-\(index).json")
            let secrets = ["Ottilie", "Zumsteg", "61.25", "Candesartan"]
            try refused(tool, 1, naming: words, ["import", "purus", file], hiding: secrets)
        }
        let native =
            ##"{"format": "healthjournal/1", "id": "\##(UUID())", "subject": "human", "entries": {"mood": []}}"##
        try refused(tool, 1, naming: ["mood"], ["import", "native", tool.write(native, to: "kind.json")])
        try refused(
            tool,
            1,
            naming: ["name"],
            ["entry", "add", record, "drug", "--json", "-"],
            input: Array(#"{"name": "\ud834"}"#.utf8)
        )
        try refused(tool, 1, naming: [], ["import", "native", "-"], input: [0x7B, 0x22, 0xFF, 0xFE, 0x22, 0x7D])
        try refused(tool, 2, naming: ["no file"], ["import", "purus", "/nowhere.json"])
    }

    @Test("A document that is too large is refused, from a file and from a pipe")
    func large() throws {
        let tool = try CommandLineTool()
        let start = Array(#"{"uuid": "7B0E4E0A-5C6B-4F2E-9D11-2A4B6C8D0E1F", "personalAddress": ""#.utf8)
        let bytes = start + [UInt8](repeating: UInt8(ascii: "x"), count: 70 << 20) + Array("\"}".utf8)
        let path = tool.folder.path + "/large.json"
        try FileBytes.write(bytes, to: path)
        try refused(tool, 1, naming: ["larger", "64 MiB", "large.json"], ["import", "purus", path])
        try refused(tool, 1, naming: ["larger", "64 MiB"], ["import", "purus", "-"], input: bytes)
    }

    @Test("Invalid lines are answered in their place, and the other lines are appended")
    func lines() throws {
        let tool = try CommandLineTool()
        let good = #"{"specversion": "1.0", "id": "a", "source": "/scale", "type": "t", "data": {"kg": 70}}"#
        let other = #"{"specversion": "1.0", "id": "a", "source": "/scale", "type": "t", "data": {"kg": 71}}"#
        let long = #"{"specversion": "1.0", "id": ""# + String(repeating: "x", count: 2 << 20)
        let lines = ["{", good, "", "[]", #"{"id": "b"}"#, long, good, other, String(repeating: "[", count: 10_000)]
        let before = try tool.position
        let outcome = try tool.run("append", input: Array(lines.joined(separator: "\n").utf8))
        #expect(outcome.status == 1)
        let answers = try outcome.text.split(separator: "\n").map { try JSONReader.read(Array($0.utf8)) }
        #expect(answers.count == 8)
        #expect(try answers.map { $0["line"] == nil ? 0 : try $0.integer("line") } == [1, 0, 4, 5, 6, 0, 8, 9])
        #expect(try answers[1].integer("position") == before + 1)
        #expect(answers[1] == answers[5])
        #expect(try answers[3].string("error").contains("source"))
        #expect(try answers[6].string("error").contains("different content"))
        #expect(!outcome.text.contains("71"))
        #expect(try tool.position == before + 1)
    }
}
