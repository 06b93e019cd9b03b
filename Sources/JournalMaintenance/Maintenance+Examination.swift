internal import EventLog
internal import FoundationEssentials
internal import HealthModel
package import JournalCore
internal import Platform

extension Journal.Maintenance {
    /// The free space below which the owner is warned, in bytes.
    static var scarceBytes: UInt64 { 1 << 30 }

    /// Checks the journal's log, clock, views, folders, keys, attachments, disk and reserve.
    package func examine(_ caller: Caller) async throws(JournalError) -> [Finding] {
        do {
            try await journal.access.admit(caller, to: .administer(.manage))
        } catch {
            throw JournalError(error)
        }
        let keys = masterKeyFindings() + keyFindings() + [erasureFinding()]
        return [logFinding()] + publishingFindings() + clockFindings() + journal.viewFindings()
            + journal.capabilities.flatMap { $0.findings(in: journal) } + folderFindings() + keys + [
                fileFinding(), spaceFinding(),
            ] + reserveFindings()
    }

    private func logFinding() -> Finding {
        do {
            let size = journal.log.size
            return Finding(
                "log",
                isOK: true,
                "\(try journal.log.head()) events, \(size.used / 1024) KiB of a map of \(size.map >> 30) GiB, format 1"
            )
        } catch {
            return Finding("log", isOK: false, JournalError(error).description)
        }
    }

    /// Checks that the log contains the published checkpoint, and reports the last objection of a witness.
    private func publishingFindings() -> [Finding] {
        let alarms = journal.log.witnessAlarms.joined(separator: "; ")
        let alarm = alarms.isEmpty ? nil : Finding("witnesses", isOK: false, alarms)
        do {
            guard let published = try journal.log.publishedCheckpoint else { return alarm.map { [$0] } ?? [] }
            let finding = Finding("published log", isOK: true, "\(published.checkpoint.size) events")
            return [finding] + (alarm.map { [$0] } ?? [])
        } catch {
            return [Finding("published log", isOK: false, error.message)] + (alarm.map { [$0] } ?? [])
        }
    }

    /// Checks whether the clock is trusted, and which recorded times in the log are wrong.
    private func clockFindings() -> [Finding] {
        do {
            let problem = try journal.log.clockProblem
            let clock = Finding("clock", isOK: problem == nil, problem?.message ?? journal.now.text(in: journal.zone))
            let wrong = try journal.log.wrongTimes()
            guard !wrong.isEmpty else { return [clock] }
            return [clock]
                + wrong.map {
                    Finding("recorded times", isOK: false, "\($0.message); \(Self.afterWrongTimes)")
                }
        } catch {
            return [Finding("clock", isOK: false, JournalError(error).description)]
        }
    }

    private static var afterWrongTimes: String {
        "until the clock has caught up, each event also contains the clock's own time"
    }

    private func folderFindings() -> [Finding] {
        [journal.log.folder.path, journal.log.folder.keys, journal.log.folder.log, journal.log.folder.blobs]
            .map { path in
                let permissions = DurableFile.permissions(of: path) ?? 0
                let isPrivate = permissions & 0o077 == 0
                return Finding(
                    "folder \(path)",
                    isOK: isPrivate,
                    isPrivate ? "accessible only to its owner" : "other users have access; run: chmod 700 \(path)"
                )
            }
    }

    /// Names the file of the master key; a copy of it must be kept elsewhere.
    private func masterKeyFindings() -> [Finding] {
        guard let masterKeyFile = journal.masterKeyFile else { return [] }
        let problem = journal.masterKeyProblem
        return [Finding("master key", isOK: problem == nil, problem ?? masterKeyFile)]
    }

    /// Checks that everything can be read that was not erased.
    private func keyFindings() -> [Finding] {
        do {
            guard let count = try journal.log.unreadableSubjects()?.count else { return [] }
            let whose = count == 1 ? "1 subject" : "\(count) subjects"
            return [
                Finding(
                    "keys",
                    isOK: count == 0,
                    count == 0
                        ? "everything can be read that was not erased"
                        : """
                        the key file lacks keys: something of \(whose) (records, people, practices) cannot be read; put the \
                        newest copy of the folder keys back, or restore the newest backup into a new folder
                        """
                )
            ]
        } catch {
            return [Finding("keys", isOK: false, JournalError(error).description)]
        }
    }

    /// Checks that erased data cannot be read any more.
    private func erasureFinding() -> Finding {
        do {
            let undone = try journal.log.undoneErasures()
            return Finding(
                "erasures",
                isOK: undone.isEmpty,
                undone.isEmpty ? "what was erased cannot be read" : undone.sentence
            )
        } catch {
            return Finding("erasures", isOK: false, JournalError(error).description)
        }
    }

    /// Checks that the journal has the files of all documents, and can open them.
    private func fileFinding() -> Finding {
        do {
            let files = try journal.entries.unusableFiles(checksContent: true)
            let isOK = files.missing.isEmpty && files.damaged.isEmpty
            let problems = [
                files.missing.isEmpty ? nil : JournalError.missingFiles(files.missing).message,
                files.damaged.isEmpty ? nil : JournalError.damagedFiles(files.damaged).message,
            ]
            return Finding(
                "attachments",
                isOK: isOK,
                isOK
                    ? "the files of all documents are here and intact"
                    : problems.compactMap(\.self).joined(separator: "; ")
            )
        } catch {
            return Finding("attachments", isOK: false, JournalError(error).description)
        }
    }

    private func reserveFindings() -> [Finding] {
        journal.log.refillReserve()
        guard let reserve = journal.log.reserveStatus else { return [] }
        let held = "\(reserve.held >> 20) of \(reserve.size >> 20) MiB are reserved for reads and erasures"
        let detail =
            if !reserve.isMade {
                "there was no space for it, and reads fail on a full disk; free some space, then open the journal again"
            } else if reserve.isInUse {
                "\(held): the disk was full, and nothing else is recorded until there is space; "
                    + "once the reserve is used up, nothing can be read"
            } else {
                held
            }
        return [Finding("reserve", isOK: reserve.isMade && !reserve.isInUse, detail)]
    }

    private func spaceFinding() -> Finding {
        guard let free = Filesystem.freeBytes(at: journal.log.folder.path) else {
            return Finding("disk", isOK: false, "its free space cannot be read")
        }
        guard free <= Self.scarceBytes else {
            return Finding("disk", isOK: true, "\(free >> 20) MiB free")
        }
        return Finding(
            "disk",
            isOK: false,
            "\(free >> 20) MiB free; on a full disk, changes are refused, and only reads and erasures are possible, "
                + "until their reserve is used up: free some space"
        )
    }
}
