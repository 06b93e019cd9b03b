import EventLog
import Foundation
import TestSupport

/// What a process has said of its publications of a log, and the check of what is left of them after a fault.
struct Publication {
    /// The sizes of the log that was published last, and of the one whose tiles were all written.
    private var published: UInt64 = 0
    private var tiled: UInt64 = 0

    private struct Lost: Error, CustomStringConvertible {
        let description: String
    }

    mutating func take(_ line: String) {
        let words = line.split(separator: " ")
        guard words.count == 2, let size = UInt64(words[1]) else { return }
        switch words[0] {
        case "published": published = size
        case "tiles": tiled = size
        default: break
        }
    }

    /// Checks what is published, publishes the log again into the same folder, and counts errors in `row`.
    func examine(_ journal: FaultJournal, _ what: String, _ row: inout FaultRow) {
        do {
            let log = try journal.open()
            defer { log.close() }
            let stored = try log.publishedCheckpoint?.checkpoint.size ?? 0
            guard stored >= published else {
                throw Lost(description: "published \(published), but \(stored) is stored")
            }
            try check(journal.site, of: log, atLeast: tiled)
            // A site that was never begun is left alone.
            guard stored > 0 else { return }
            let signed = try log.publish()
            _ = try log.write(signed, to: journal.site)
            try check(journal.site, of: log, atLeast: signed.checkpoint.size)
        } catch {
            row.lies += 1
            row.complaints.append("\(what): the publication: \(error)")
        }
    }

    /// Checks that a folder has all tiles of its checkpoint, which is written last.
    private func check(_ site: String, of log: EventLog, atLeast size: UInt64) throws {
        let path = site + "/checkpoint"
        guard FileManager.default.fileExists(atPath: path) else {
            guard size == 0 else { throw Lost(description: "the folder has no checkpoint") }
            return
        }
        guard let verifier = log.verifier else { throw Lost(description: "the log has no public key") }
        let signed = try SignedCheckpoint(parsing: FileBytes.read(path)[...], verifiedBy: [verifier])
        let found = signed.checkpoint.size
        guard found >= size else { throw Lost(description: "the tiles of \(size) events were written, not \(found)") }
        for tile in LogTile.all(ofSize: found) {
            guard try FileBytes.read("\(site)/\(tile.path)") == log.tile(tile) else {
                throw Lost(description: "\(tile.path) is not the log's")
            }
        }
    }
}
