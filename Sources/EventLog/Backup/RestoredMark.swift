package import FoundationEssentials
internal import Platform

/// The mark of a restored journal, whose history differs from that of the original journal after the restore.
///
/// Both journals have the same id and master key. Each must be checked against its own newest checkpoint beside the
/// master key, so the name of a restored journal's checkpoint contains a part of the event's id in this file. The mark
/// cannot be forged for an older copy: it must name an event of the log, and appending that event takes the master key.
package struct RestoredMark: Hashable, Sendable {
    /// The id and the position of the event that records the restore.
    package let event: UUID
    package let position: UInt64

    init(event: UUID, position: UInt64) {
        self.event = event
        self.position = position
    }

    /// Reads the mark of a journal; nil for a journal that was not restored.
    package init?(in folder: JournalFolder) throws(EventLogError) {
        let path = RestoredMark.path(in: folder)
        guard DurableFile.exists(path) else { return nil }
        let bytes: [UInt8]
        do throws(StorageError) {
            bytes = try DurableFile.read(path, atMost: 256)
        } catch {
            throw EventLogError(error)
        }
        let parts = String(decoding: bytes, as: UTF8.self).split { $0 == " " || $0 == "\n" }
        guard parts.count == 2, let event = UUID(uuidString: String(parts[0])), let position = UInt64(parts[1]) else {
            throw EventLogError(.damaged, "\(path) is damaged; restore the journal again, or the file from a copy")
        }
        self.init(event: event, position: position)
    }

    func write(to folder: JournalFolder) throws(StorageError) {
        let text = "\(event.uuidString.lowercased()) \(position)\n"
        try DurableFile.replace(RestoredMark.path(in: folder), with: Array(text.utf8))
    }

    private static func path(in folder: JournalFolder) -> String { folder.path + "/restored" }

    /// Throws unless the log contains the event that the mark names.
    package func requireRecorded(in log: EventLog) throws(EventLogError) {
        if let found = try? log.event(at: position), found.header.id == event,
            found.header.subject == log.description.id, (try? log.open(found)) != nil
        {
            return
        }
        throw EventLogError(
            .damaged,
            "the journal in \(log.folder.path) is marked as restored, but its log has no event of the restore "
                + "at position \(position): the log, or the file `restored` in its folder, was replaced by another copy"
        )
    }
}
