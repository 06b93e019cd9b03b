import Foundation
import TestSupport
import Testing

@Suite("Output files")
struct OutputTests {
    @Test(
        "Each option that names a file writes through links and into pipes, and refuses folders",
        .timeLimit(.minutes(10))
    )
    func everyOption() throws {
        let tool = try CommandLineTool()
        let record = try tool.person()
        let erased = try tool.person("Walburga")
        let letter = try tool.write("a letter", to: "letter.txt")
        let entry = try tool.json("document", "attach", record, letter).string("entry")
        let folder = tool.folder.path
        let commands: [(name: String, arguments: @Sendable (String) -> [String])] = [
            ("export", { ["export", record, "--as", "native", "-o", $0] }),
            ("document", { ["document", "save", entry, $0] }),
            ("erase", { ["erase", erased, "--reason", "asked for", "--yes", "-o", $0] }),
            ("receipt", { ["record", "receipt", erased, "-o", $0] }),
        ]
        for (name, arguments) in commands {
            let refused = try tool.run(arguments(try tool.folder.folder("folder")))
            #expect(refused.status == 1 && refused.message.contains("it is a folder; name a file"), "\(name)")
            let link = "\(folder)/\(name)-link"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "\(name)-real")
            try tool.run(arguments(link)).succeeded()
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "\(name)-real")
            let written = try FileBytes.read("\(folder)/\(name)-real")
            #expect(!written.isEmpty)
            // A record can be erased only once.
            if name == "erase" { continue }
            let pipe = "\(folder)/\(name)-pipe"
            #expect(FileNode.makePipe(pipe))
            let reader = try tool.start(program: "/usr/bin/wc", ["-c", pipe])
            try tool.run(arguments(pipe)).succeeded()
            let count = try #require(reader.readLine()?.split(separator: " ").first.flatMap { Int($0) })
            // Documents that contain the newest position or a time may differ by a few digits.
            #expect(abs(count - written.count) < 16, "\(name)")
        }
    }

    @Test("The format of a document has an option of its own; that of earlier versions still works")
    func formatOption() throws {
        let tool = try CommandLineTool()
        let record = try tool.person()
        try tool.run("account", "add", "csv").succeeded()
        try tool.run("caregiver", "grant", record, "csv").succeeded()
        func export(_ options: String...) throws -> Outcome {
            try tool.run(["export", record] + options)
        }
        let wanted = try export("--document", "csv").succeeded().text
        #expect(try export("--as", "csv").succeeded().text == wanted)
        #expect(try export("--as", "csv", "--as", "owner").succeeded().text == wanted)
        // With a format, every other name is that of an account.
        #expect(try export("--document", "csv", "--as", "csv").succeeded().text == wanted)
        #expect(try export("--document", "csv", "--as", "nobody").status == 2)
        for wrong in [[], ["--as", "csv", "--as", "pdf"], ["--as", "owner"], ["--document", "doc"]] {
            let refused = try tool.run(["export", record] + wrong)
            #expect(refused.status == 64, "\(wrong)")
        }
    }

    @Test("/dev/stdout is the command's own output, even if that is appended to a file")
    func standardOutput() throws {
        let tool = try CommandLineTool()
        let record = try tool.person()
        let file = try tool.write("what was there\n", to: "all")
        let command = "\(CommandLineTool.executable) export \(record) --as csv -o /dev/stdout >> \(file)"
        try tool.run("/bin/sh", ["-c", command]).succeeded()
        let text = try String(decoding: FileBytes.read(file), as: UTF8.self)
        let printed = try tool.run("export", record, "--as", "csv").succeeded().text
        #expect(try tool.run("export", record, "--as", "csv", "-o", "-").succeeded().text == printed)
        #expect(!FileManager.default.fileExists(atPath: "-"))
        #expect(text == "what was there\n" + printed)
        #expect(!printed.isEmpty)
    }

    @Test(
        "Creating a journal on a full disk fails with an error, and is completed later",
        .enabled(if: SmallDisk.isAvailable, "needs to mount a file system")
    )
    func fullDisk() throws {
        let tool = try CommandLineTool(hasJournal: false)
        let disk = try SmallDisk(kibibytes: 4)
        let journal = disk.path + "/journal"
        // A filesystem of 0 bytes would have no limit.
        for size in [4] + Array(stride(from: 32, through: 320, by: 32)) {
            try? FileManager.default.removeItem(atPath: journal)
            try disk.resize(kibibytes: size)
            let outcome = try tool.run("init", "--journal", journal)
            #expect(
                outcome.status == 1 && outcome.message.contains("no space is left"),
                "\(size) KiB: \(outcome.message)"
            )
        }
        try disk.resize(kibibytes: 1_024)
        // The command completes the earlier attempt once there is space.
        try tool.run("init", "--journal", journal).succeeded()
    }

    @Test("Commands run by root in another user's journal leave all files to that user")
    func root() throws {
        guard FileNode.isRoot else { return print("skipped: only root can give files away") }
        let tool = try CommandLineTool()
        let record = try tool.person()
        let letter = try tool.write("a letter", to: "letter.txt")
        let places = [tool.journal, tool.folder.path + "/config"]
        func paths() throws -> [String] {
            try places.flatMap { place in
                try [place] + FileManager.default.subpathsOfDirectory(atPath: place).map { "\(place)/\($0)" }
            }
        }
        for path in try paths() { #expect(FileNode.give(path, to: 1_234, group: 1_235)) }
        for name in ["views", "index"] {
            for file in try FileManager.default.contentsOfDirectory(atPath: "\(tool.journal)/\(name)") {
                try FileManager.default.removeItem(atPath: "\(tool.journal)/\(name)/\(file)")
            }
        }
        try tool.run("weight", "log", record, "70kg").succeeded()
        try tool.run("document", "attach", record, letter).succeeded()
        try tool.run("record", "show", record).succeeded()
        try tool.run("backup", tool.folder.path + "/backup").succeeded()
        try tool.run("keys", "rotate").succeeded()
        try tool.run("erase", record, "--reason", "asked for", "--yes").succeeded()
        for path in try paths() {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect((attributes[.ownerAccountID] as? NSNumber)?.intValue == 1_234, "\(path)")
            #expect((attributes[.groupOwnerAccountID] as? NSNumber)?.intValue == 1_235, "\(path)")
        }
    }
}
