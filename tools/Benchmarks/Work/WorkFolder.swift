import EventLog
import Foundation
import HealthJournal

/// A folder for a journal and its master key, for the duration of a measurement.
public struct WorkFolder: Sendable {
    let path: String

    /// Refers to a folder, which need not exist yet.
    public init(_ path: String) {
        self.path = path
    }

    private var journal: JournalFolder { JournalFolder(path + "/journal") }
    private var keyFile: String { path + "/master.key" }

    /// Creates the folder if needed, and an empty journal in it.
    func create(mapSize: Int? = nil) throws -> EventLog {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let key = MasterKey()
        try key.write(to: keyFile)
        var options = EventLog.Options()
        if let mapSize { options.mapSize = mapSize }
        return try EventLog.create(in: journal, masterKey: key, id: UUID(), zone: "UTC", options: options)
    }

    /// Creates the folder if needed, and a journal with its owner's account in it.
    func createJournal() async throws -> Journal {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let key = MasterKey()
        try key.write(to: keyFile)
        return try await Journal.create(in: journal, masterKey: key, id: UUID(), zone: .gmt)
    }

    func open() throws -> EventLog {
        try EventLog(folder: journal, masterKey: MasterKey(file: keyFile))
    }
}

extension EventLog {
    /// Bytes of the log's file that are in use.
    var bytesInUse: Int { Int(size.used) }
}
