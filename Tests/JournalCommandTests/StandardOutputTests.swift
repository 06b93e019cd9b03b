import Foundation
import TestSupport
import Testing

@Suite("Standard output that cannot be written", .timeLimit(.minutes(10)))
struct StandardOutputTests {
    private static let replay = ChildProcess.shipped("healthjournal-replay")

    /// Commands of both programs that print something, also texts that the parser prints.
    private static func commands(_ record: String) -> [(program: String, arguments: String)] {
        let own = [
            "weight log \(record) 70kg", "record list", "record list --format json", "record show \(record)",
            "entry list \(record)",
            "export \(record) --as native", "export \(record) --as csv -o -", "doctor", "words", "--help",
            "help record", "record --help", "--version", "--experimental-dump-help",
        ]
        let audits = ["trail", "trail --format json", "verify", "stats", "--help", "--version", "help trail"]
        return own.map { (CommandLineTool.executable, $0) } + audits.map { (replay, $0) }
    }

    @Test("Output on a full device is an error with a message and exit status 1, in both programs")
    func full() throws {
        let tool = try CommandLineTool()
        let record = try tool.person()
        for (program, arguments) in Self.commands(record) {
            let outcome = try tool.run("/bin/sh", ["-c", "\(program) \(arguments) > /dev/full"])
            #expect(outcome.status == 1, "\(arguments): \(outcome.status)")
            #expect(outcome.message.contains("no space is left"), "\(arguments): \(outcome.message)")
            #expect(outcome.message.count(of: "no space is left") == 1, "\(arguments): \(outcome.message)")
            #expect(!outcome.message.contains("Ottilie"), "\(arguments)")
            #expect(!outcome.message.contains("unexpected"), "\(arguments)")
        }
        // The change itself was made, and the message said so.
        #expect(try tool.json("entry", "list", record, "weight").items.count == 1)
    }

    @Test("A reader that goes away early is no error and gets no message")
    func pipe() throws {
        let tool = try CommandLineTool()
        let record = try tool.person()
        for (program, arguments) in Self.commands(record) {
            // The status of the program is written to a descriptor of its own.
            let line = "{ { sleep 0.05; \(program) \(arguments); echo $? >&3; } | true; } 3>&1"
            let outcome = try tool.run("/bin/sh", ["-c", line])
            #expect(outcome.text == "0\n", "\(arguments): \(outcome.text)")
            #expect(outcome.message.isEmpty, "\(arguments): \(outcome.message)")
        }
    }

    @Test("A closed standard output is an error, and no file of the journal gets the output instead")
    func closed() throws {
        let tool = try CommandLineTool()
        let record = try tool.person()
        for (program, arguments) in Self.commands(record) where !arguments.contains("-o -") {
            let outcome = try tool.run("/bin/sh", ["-c", "\(program) \(arguments) >&-"])
            #expect(outcome.status == 1, "\(arguments): \(outcome.message)")
            #expect(!outcome.message.isEmpty, "\(arguments): \(outcome.message)")
        }
        try tool.run("doctor").succeeded()
        try tool.replay("verify").succeeded()
    }

    @Test("Output that does not block is written completely to a slow reader")
    func nonBlocking() throws {
        let tool = try CommandLineTool()
        let script = """
            import fcntl, os, subprocess, sys, time
            reading, writing = os.pipe()
            fcntl.fcntl(writing, fcntl.F_SETFL, os.O_NONBLOCK)
            child = subprocess.Popen(sys.argv[1:], stdout=writing)
            os.close(writing)
            time.sleep(0.5)
            size = 0
            while part := os.read(reading, 4096): size += len(part)
            print(size, child.wait())
            """
        let program = try tool.write(script, to: "slow.py")
        let help = [CommandLineTool.executable, "--experimental-dump-help"]
        let whole = try tool.run(help[0], [help[1]]).succeeded().output.count
        #expect(whole > 1 << 16)
        #expect(try tool.run("/usr/bin/env", ["python3", program] + help).succeeded().text == "\(whole) 0\n")
    }

    @Test(
        "An export to a full disk fails, and appended events whose results cannot be printed are an error",
        .enabled(if: SmallDisk.isAvailable, "needs to mount a file system")
    )
    func fullDisk() throws {
        let tool = try CommandLineTool()
        let record = try tool.person()
        let disk = try SmallDisk(kibibytes: 4)
        for format in ["native", "csv", "html", "fhir"] {
            let command = "\(CommandLineTool.executable) export \(record) --as \(format)"
            _ = try tool.run("/bin/sh", ["-c", "head -c 4096 /dev/zero > \(disk.path)/filler"])
            let outcome = try tool.run("/bin/sh", ["-c", "\(command) > \(disk.path)/document"])
            #expect(
                outcome.status == 1 && outcome.message.contains("no space is left"),
                "\(format): \(outcome.message)"
            )
        }
        let event = #"{"specversion":"1.0","id":"1","source":"s","type":"com.example.a"}"#
        let line = "\(CommandLineTool.executable) append > /dev/full"
        let append = try tool.run("/bin/sh", ["-c", line], input: Array(event.utf8))
        #expect(append.status == 1 && append.message.contains("no space is left"), "\(append.message)")
    }
}

extension String {
    fileprivate func count(of part: String) -> Int { components(separatedBy: part).count - 1 }
}
