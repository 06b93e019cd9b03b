import EventLog
import FoundationEssentials
import LMDB

extension FuzzTarget {
    /// Targets for the files of a backup, and for the file of a database.
    static let backupTargets = [
        FuzzTarget("backup-manifest") { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            guard let manifest = try? BackupManifest(parsing: text) else { return }
            require(manifest.text == text, "a manifest has one text")
        },
        FuzzTarget("backup-contents") { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            guard let contents = try? BackupContents(parsing: text) else { return }
            require(contents.text == text, "contents have one text")
        },
        FuzzTarget("backup-segment") { bytes in
            // The journal and the first position are taken from the bytes, so that the parser accepts them.
            guard bytes.count >= 32 else { return }
            let (journal, first) = (bytes.raw.uuid(at: 8), bytes.raw.integer(at: 24, as: UInt64.self))
            for count in [0, 1, 2] as [UInt64] where first <= .max - 2 {
                var frames: UInt64 = 0
                try? BackupSegment.read(bytes.raw, journal: journal, first: first, last: first + count) { frame in
                    require(frame.position == first + frames, "frames stand in order")
                    frames += 1
                }
                require(frames <= count + 1, "no frame stands behind the last")
            }
        },
        FuzzTarget("erasure-receipt") { bytes in _ = try? ErasureReceipt(parsing: bytes) },
        FuzzTarget("database-file") { bytes in
            guard let snapshot = try? Snapshot(PageSource(bytes: bytes)) else { return }
            for record in snapshot.tables.values {
                var walk = TableWalk(snapshot.pages, record)
                var map = snapshot.map
                var steps = 0
                walk: while true {
                    switch walk.next(&map) {
                    case .end: break walk
                    case .damage: continue
                    case .leaf:
                        for index in 0..<walk.count {
                            if case .inside(let range) = walk.value(index) { _ = (walk.key(index), walk.bytes[range]) }
                        }
                    }
                    steps += 1
                    require(steps <= bytes.count, "a file has no more pages than bytes")
                }
            }
        },
    ]
}
