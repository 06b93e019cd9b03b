internal import EventLog
internal import FoundationEssentials
internal import HealthModel
internal import LMDB

/// One thing that was looked at, and whether it is as it should be.
package struct Finding: Hashable, Sendable {
    package let what: String
    package let isWell: Bool
    package let detail: String

    init(_ what: String, isWell: Bool, _ detail: String) {
        self.what = what
        self.isWell = isWell
        self.detail = detail
    }
}

extension Journal {
    /// Free space below which the owner should know, in bytes.
    private static var scarceBytes: UInt64 { 1 << 30 }

    /// Looks at the journal's files, its log, its views and its disk.
    package func examine(_ caller: Caller) async throws(JournalError) -> [Finding] {
        do {
            try await requireAdministrator(caller)
        } catch {
            throw JournalError(error)
        }
        return [logFinding(), clockFinding()] + viewFindings() + folderFindings() + [spaceFinding()]
    }

    private func logFinding() -> Finding {
        do {
            let size = log.size
            return Finding(
                "log",
                isWell: true,
                "\(try log.head()) events, \(size.used / 1024) KiB of a map of \(size.map >> 30) GiB, format 1"
            )
        } catch {
            return Finding("log", isWell: false, JournalError(error).description)
        }
    }

    /// A clock that was set back is told, for recorded times then stand still until it has caught up.
    private func clockFinding() -> Finding {
        let newest = (try? log.head()).flatMap { $0 == 0 ? nil : try? log.event(at: $0).recordedAt } ?? 0
        let ahead = newest - log.now()
        guard ahead > 60_000_000 else { return Finding("clock", isWell: true, "\(now)") }
        return Finding(
            "clock",
            isWell: false,
            "the newest event was recorded \(ahead / 1_000_000) seconds ahead of this machine's clock; set it right"
        )
    }

    private func folderFindings() -> [Finding] {
        [log.folder.path, log.folder.keys, log.folder.log, log.folder.blobs]
            .map { path in
                let permissions = DurableFile.permissions(of: path) ?? 0
                let isPrivate = permissions & 0o077 == 0
                return Finding(
                    "folder \(path)",
                    isWell: isPrivate,
                    isPrivate ? "open to its owner alone" : "others may enter it; run: chmod 700 \(path)"
                )
            }
    }

    private func spaceFinding() -> Finding {
        guard let free = Filesystem.freeBytes(at: log.folder.path) else {
            return Finding("disk", isWell: false, "its free space cannot be read")
        }
        return Finding("disk", isWell: free > Journal.scarceBytes, "\(free >> 20) MiB free")
    }
}
