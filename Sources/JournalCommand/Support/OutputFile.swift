import Foundation
import HealthJournal

/// Writes files that somebody asked for, readable by that person alone.
enum OutputFile {
    static func write(_ bytes: [UInt8], to path: String) throws(JournalError) {
        let isWritten = FileManager.default.createFile(
            atPath: path,
            contents: Data(bytes),
            attributes: [.posixPermissions: 0o600]
        )
        guard isWritten else { throw JournalError(.failed, "\(path) cannot be written") }
    }
}
