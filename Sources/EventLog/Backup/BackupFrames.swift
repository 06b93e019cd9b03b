internal import FoundationEssentials
internal import LMDB
internal import Platform

/// Copies frames of the log into segments, and computes the Merkle tree's frontier from the copies that it reads back.
struct BackupFrames {
    let log: EventLog
    let folder: String
    private(set) var segments: [BackupSegment]
    private(set) var frontier: Frontier
    private(set) var byteCount = 0

    /// Starts after the segments that are kept.
    init(_ log: EventLog, into folder: String, behind segments: [BackupSegment]) throws(EventLogError) {
        self.log = log
        self.folder = folder
        self.segments = segments
        let head = segments.last?.last ?? 0
        frontier = try log.reading { transaction in try log.tables.frontier(ofSize: head, transaction) }
    }

    var head: UInt64 { frontier.size }

    /// Adds complete segments that an interrupted run left in the folder and that the backup does not list.
    mutating func adopt(through end: UInt64, besides held: [BackupSegment]) throws(EventLogError) {
        do {
            let known = Set(held.map(\.name))
            let strays = try DurableFile.names(in: folder).filter { !known.contains($0) }
                .compactMap { BackupSegment.positions(ofName: $0) }
            while let next = strays.first(where: { $0.first == head + 1 && $0.last <= end }) {
                let expected = try log.reading { transaction in
                    try log.tables.frontier(ofSize: next.last, transaction)
                }
                guard let found = try? read(next.first, next.last), found.frontier == expected else { return }
                take(next.first, next.last, found)
            }
        } catch {
            throw EventLogError(error, "the files of an earlier backup cannot be read")
        }
    }

    /// Writes the next segment, up to `end` at most, and reads it back.
    mutating func copyNext(
        through end: UInt64,
        _ step: (BackupStep) throws(EventLogError) -> Void
    ) throws(EventLogError) {
        let first = head + 1
        let (bytes, last) = try gather(from: first, through: end)
        let path = folder + "/" + BackupSegment.name(first, last)
        let beside = path + BackupLayout.unfinished
        do {
            let file = try DurableFile(path: beside, mode: .scratch)
            try file.write(bytes, at: 0)
            file.forget()
            try step(.segmentWritten)
            try DurableFile.rename(beside, to: path)
            try step(.segmentPlaced)
            take(first, last, try read(first, last))
        } catch {
            let error = EventLogError(error, "the backup's next segment cannot be written")
            if error.code == .diskFull { try? DurableFile.remove(beside) }
            throw error
        }
        byteCount += bytes.count
    }

    private mutating func take(_ first: UInt64, _ last: UInt64, _ found: (frontier: Frontier, byteCount: Int)) {
        segments.append(BackupSegment(first: first, last: last, byteCount: found.byteCount))
        frontier = found.frontier
    }

    /// Reads a segment from the disk, and returns the Merkle tree's frontier after it and its length.
    private func read(_ first: UInt64, _ last: UInt64) throws -> (frontier: Frontier, byteCount: Int) {
        let bytes = try DurableFile.read(
            folder + "/" + BackupSegment.name(first, last),
            atMost: BackupLayout.maximumSegmentBytes
        )
        var frontier = frontier
        try BackupSegment.read(bytes.raw, journal: log.description.id, first: first, last: last) { frame in
            _ = frontier.append(.leaf(frame.bytes))
        }
        return (frontier, bytes.count)
    }

    /// Returns the bytes and the last position of a segment, read from the log in short snapshots.
    private func gather(from first: UInt64, through end: UInt64) throws(EventLogError) -> (bytes: [UInt8], last: UInt64)
    {
        var bytes = BackupSegment.header(journal: log.description.id, first: first)
        var done = first - 1
        while done < end, bytes.count < BackupLayout.segmentBytes {
            let last = done + min(end - done, EventLog.pageLength)
            try log.reading { transaction in
                try log.tables.frames(after: done, through: last, transaction) { frame in
                    bytes.append(littleEndian: UInt32(frame.bytes.byteCount))
                    bytes.append(contentsOf: frame.bytes.copy)
                    done = frame.position
                    return bytes.count < BackupLayout.segmentBytes
                }
            }
        }
        return (bytes, done)
    }
}
