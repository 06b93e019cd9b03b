import EventLog
import Foundation
import TestSupport
import Workload

/// A journal and its master key in one folder, all of which a shim can watch.
final class FaultJournal {
    let root: String
    private let outer: TemporaryFolder

    var folder: JournalFolder { JournalFolder(root + "/journal") }
    var keyFile: String { root + "/master.key" }
    /// Returns the path of a file outside the watched folder, for the shim's own input and output.
    func beside(_ name: String) -> String { outer.path + "/" + name }

    /// Creates only the folder.
    init() throws {
        outer = try TemporaryFolder()
        root = try outer.folder("root")
    }

    /// Creates only the folder, on another disk.
    init(on disk: String) throws {
        outer = try TemporaryFolder()
        root = disk + "/root"
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: false)
    }

    /// Returns an empty journal.
    static func created() throws -> FaultJournal {
        let journal = try FaultJournal()
        let master = MasterKey()
        try master.write(to: journal.keyFile)
        try EventLog.create(
            in: journal.folder,
            masterKey: master,
            id: UUID(),
            zone: "UTC",
            options: journal.options()
        )
        .close()
        return journal
    }

    /// Returns a copy of the files, as a cold backup would make it.
    func copy() throws -> FaultJournal {
        let journal = try FaultJournal()
        try FileManager.default.removeItem(atPath: journal.root)
        try FileManager.default.copyItem(atPath: root, toPath: journal.root)
        return journal
    }

    /// The folder to which the log is published.
    var site: String { root + "/site" }

    /// The witness file next to the master key, as in the application.
    var witness: String { root + "/master.checkpoint" }

    func options(mapSize: Int = 4 << 30) -> EventLog.Options {
        var options = EventLog.Options()
        options.mapSize = mapSize
        options.witness = witness
        return options
    }

    /// Opens the journal as the application does.
    func open(_ options: EventLog.Options? = nil) throws(EventLogError) -> EventLog {
        if options?.isReadOnly != true { try MasterKeyFile.settle(keyFile, for: folder) }
        let master = try MasterKeyFile.read(keyFile, for: folder)
        return try EventLog(folder: folder, masterKey: master, options: options ?? self.options())
    }

    // MARK: Processes

    /// The settings of the shim for a child process.
    struct Shim {
        var plan: String?
        var trace: String?
        /// Whether the child sees the id of another boot.
        var isOtherBoot = false
    }

    func create(_ shim: Shim? = nil) throws -> ChildProcess {
        try child(["create", folder.path, keyFile], shim)
    }

    func work(
        _ tag: UInt8,
        from first: Int,
        count: Int,
        width: Int = 1,
        mapSize: Int = 4 << 30,
        _ words: [String] = [],
        shim: Shim? = nil
    ) throws -> ChildProcess {
        try child(
            ["work", folder.path, keyFile, "\(first)", "\(count)", "\(tag)", "\(width)", "\(mapSize)"] + words,
            shim
        )
    }

    func child(_ arguments: [String], _ shim: Shim? = nil, tool: String = "LogWriter") throws -> ChildProcess {
        guard let shim else { return try ChildProcess(arguments, tool: tool) }
        var variables = [
            "LD_PRELOAD": ChildProcess.library("FaultShim"), "HEALTHJOURNAL_FAULT_ROOT": root,
            "HEALTHJOURNAL_FAULT_MARK": mark,
        ]
        variables["HEALTHJOURNAL_FAULT_PLAN"] = shim.plan
        variables["HEALTHJOURNAL_FAULT_TRACE"] = shim.trace
        if shim.isOtherBoot {
            let path = beside("boot")
            try FileBytes.write(Array("0f0f0f0f-0000-4000-8000-0f0f0f0f0f0f\n".utf8), to: path)
            variables["HEALTHJOURNAL_FAULT_BOOT"] = path
        }
        try? FileManager.default.removeItem(atPath: mark)
        return try ChildProcess(arguments, variables: variables, tool: tool)
    }

    private var mark: String { beside("mark") }

    /// Whether the fault planned for the last child occurred.
    var hasStruck: Bool { FileManager.default.fileExists(atPath: mark) }
}

/// A writer's acknowledgement of an append that is on the disk.
struct Acknowledgement: Hashable {
    let tag: UInt8
    let number: Int
    let first: UInt64
    let last: UInt64
    let recordedAt: Int64

    init?(_ line: some StringProtocol, tag: UInt8) {
        let words = line.split(separator: " ")
        guard words.count == 5, words[0] == "ack", let number = Int(words[1]), let first = UInt64(words[2]),
            let last = UInt64(words[3]), let recordedAt = Int64(words[4])
        else { return nil }
        (self.tag, self.number, self.first, self.last, self.recordedAt) = (tag, number, first, last, recordedAt)
    }

    var count: Int { Int(last - first) + 1 }
}
