internal import Crypto
internal import Platform

/// A small witness of logs (https://c2sp.org/tlog-witness): it cosigns a checkpoint if it extends the last one of the same
/// log that it saw.
///
/// Its folder contains its key (`key`), the verifier keys of the logs that it knows (`logs`, one on each line), and for each
/// log the checkpoint that it cosigned last.
package struct LogWitness: Sendable {
    package let verifier: NoteVerifier
    private let folder: String
    private let cosigner: NoteSigner

    /// What a witness answers to a request.
    package enum Answer: Equatable, Sendable {
        /// The line with the cosignature.
        case cosigned(String)
        /// The last checkpoint that the witness saw has another size.
        case conflict(size: UInt64)
        /// An HTTP status, and the reason.
        case refused(Int, String)
    }

    /// Creates the folder of a witness with a new key.
    package static func create(_ folder: String, name: String) throws(EventLogError) -> LogWitness {
        let seed = (0..<32).map { _ in UInt8.random(in: 0...UInt8.max) }
        do {
            let cosigner = try NoteSigner(name: name, seed: seed, .cosignature)
            try Folder.makePrivate(folder)
            try DurableFile(path: folder, mode: .read)
                .locked {
                    guard !DurableFile.exists("\(folder)/key") else {
                        throw EventLogError(.versionConflict, "\(folder) contains a witness already")
                    }
                    try DurableFile.replace("\(folder)/key", with: Array("\(name)\n\(Base64.text(seed))\n".utf8))
                }
            return LogWitness(verifier: cosigner.verifier, folder: folder, cosigner: cosigner)
        } catch {
            throw EventLogError(witness: error)
        }
    }

    private init(verifier: NoteVerifier, folder: String, cosigner: NoteSigner) {
        (self.verifier, self.folder, self.cosigner) = (verifier, folder, cosigner)
    }

    /// Opens the folder of a witness.
    package init(opening folder: String) throws(EventLogError) {
        do {
            let text = String(decoding: try DurableFile.read("\(folder)/key", atMost: 4_096), as: UTF8.self)
            let lines = text.split(separator: "\n")
            guard lines.count == 2, let seed = Base64.bytes(lines[1].utf8) else {
                throw EventLogError(.damaged, "the key of the witness is damaged")
            }
            cosigner = try NoteSigner(name: String(lines[0]), seed: seed, .cosignature)
            verifier = cosigner.verifier
            self.folder = folder
        } catch {
            throw EventLogError(witness: error)
        }
    }

    /// The logs that it knows.
    package var logs: [NoteVerifier] {
        get throws(EventLogError) {
            guard DurableFile.exists("\(folder)/logs") else { return [] }
            do {
                return try DurableFile.read("\(folder)/logs", atMost: 1 << 20)
                    .split(separator: ProofLines.newline)
                    .map { try NoteVerifier(parsing: $0) }
            } catch {
                throw EventLogError(witness: error)
            }
        }
    }

    /// Makes a log known by its verifier key.
    package func add(_ log: NoteVerifier) throws(EventLogError) {
        do {
            try DurableFile(path: folder, mode: .read)
                .locked {
                    let known = try logs
                    if known.contains(log) { return }
                    guard !known.contains(where: { $0.name == log.name }) else {
                        throw EventLogError(.versionConflict, "the witness knows a log of this name with another key")
                    }
                    let lines = (known + [log]).map { $0.text + "\n" }.joined()
                    try DurableFile.replace("\(folder)/logs", with: Array(lines.utf8))
                }
        } catch {
            throw EventLogError(witness: error)
        }
    }

    /// Answers a request; what it cosigns is on the disk before it returns.
    ///
    /// `now` is the time in seconds since 1970. Throws if the folder cannot be read or written.
    package func answer(_ body: [UInt8], now: UInt64) throws(EventLogError) -> Answer {
        let logs = try logs
        do {
            // Under a lock, also among processes: otherwise a smaller checkpoint could replace a larger one.
            return try DurableFile(path: folder, mode: .read).locked { try decide(body, logs, now) }
        } catch {
            throw EventLogError(witness: error)
        }
    }

    private func decide(_ body: [UInt8], _ logs: [NoteVerifier], _ now: UInt64) throws -> Answer {
        let request: WitnessRequest
        let text: [UInt8]
        let checkpoint: Checkpoint
        do {
            request = try WitnessRequest(parsing: body)
            text = try SignedNote(parsing: request.note[...]).text
            checkpoint = try Checkpoint(parsing: text[...])
        } catch {
            return .refused(400, "\(error)")
        }
        guard let log = logs.first(where: { $0.name.utf8.elementsEqual(checkpoint.origin.utf8) }) else {
            return .refused(404, "the log is not known here")
        }
        let signed: SignedCheckpoint
        do {
            signed = try SignedCheckpoint(parsing: request.note[...], verifiedBy: [log])
        } catch {
            return .refused(403, "\(error)")
        }
        guard request.oldSize <= checkpoint.size else {
            return .refused(400, "the old size is larger than that of the checkpoint")
        }
        let path = "\(folder)/\(Self.fileName(of: checkpoint.origin))"
        let last =
            DurableFile.exists(path)
            ? try SignedCheckpoint(
                parsing: DurableFile.read(path, atMost: SignedNote.maximumBytes)[...],
                verifiedBy: [log]
            )
            .checkpoint : nil
        guard request.oldSize == last?.size ?? 0 else { return .conflict(size: last?.size ?? 0) }
        do throws(ProofError) {
            if let last, last.size > 0 {
                try MerkleProof.checkConsistency(
                    from: last.size,
                    root: last.root,
                    to: checkpoint.size,
                    newRoot: checkpoint.root,
                    path: request.path
                )
            } else {
                guard request.path.isEmpty, checkpoint.size > 0 || checkpoint.root == .empty else {
                    throw ProofError(.mismatch, "the empty tree needs no proof")
                }
            }
        } catch {
            return .refused(422, "\(error)")
        }
        let line = try cosigner.cosignature(of: text, at: now)
        try DurableFile.replace(path, with: Array(signed.text.utf8))
        return .cosigned(line)
    }

    /// Names of logs may have slashes.
    private static func fileName(of origin: String) -> String {
        SHA256.hash(data: Array(origin.utf8)).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
            + ".checkpoint"
    }
}

extension EventLogError {
    fileprivate init(witness error: any Error) {
        switch error {
        case let error as EventLogError: self = error
        case let error as StorageError: self.init(error)
        default: self.init(.damaged, "\(error)")
        }
    }
}

extension EventLog {
    /// Returns a request to a witness that has seen the first `size` events last.
    ///
    /// Throws `notFound` if the witness has seen more events than the published checkpoint has.
    package func witnessRequest(_ signed: SignedCheckpoint, since size: UInt64) throws(EventLogError) -> WitnessRequest
    {
        let path = try size == 0 ? [] : consistencyProof(from: size, to: signed.checkpoint.size)
        return WitnessRequest(oldSize: size, path: path, signed)
    }
}
