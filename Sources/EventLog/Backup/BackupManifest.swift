package import FoundationEssentials

/// The description of a backup, which names its contents list.
///
/// Replacing the manifest file completes a backup.
package struct BackupManifest: Hashable, Sendable {
    package var journal: UUID
    /// The journal's description, encoded.
    package var description: [UInt8]
    /// The public key of the journal's checkpoints, as text.
    package var verifier: String
    /// The signed checkpoint that the segments lead to, as text.
    package var checkpoint: String
    package var keyBytes: Int
    /// SHA-256 of the contents list, in hexadecimal digits.
    package var contents: String

    package init(
        journal: UUID,
        description: [UInt8],
        verifier: String,
        checkpoint: String,
        keyBytes: Int,
        contents: String
    ) {
        self.journal = journal
        self.description = description
        self.verifier = verifier
        self.checkpoint = checkpoint
        self.keyBytes = keyBytes
        self.contents = contents
    }

    /// The text of the manifest, without a signature.
    package var text: String {
        var lines = [
            BackupLayout.title, "journal \(journal.uuidString.lowercased())",
            "description \(Data(description).base64EncodedString())", "verifier \(verifier)",
        ]
        for line in checkpoint.split(separator: "\n", omittingEmptySubsequences: false) {
            lines.append("checkpoint \(line)")
        }
        lines += ["keys \(keyBytes)", "contents \(contents)", ""]
        return lines.joined(separator: "\n")
    }

    /// Parses the text of a manifest; its signature must be checked separately.
    ///
    /// Each manifest has exactly one valid text; any other is refused.
    package init(parsing text: String) throws(EventLogError) {
        guard text.hasPrefix("healthjournal-backup/") else {
            throw EventLogError(.notABackup, "the manifest is not that of a backup of a health journal")
        }
        guard text.hasPrefix(BackupLayout.title + "\n") else {
            throw EventLogError(.newerFormat, "this backup was made by a newer version; install that one to read it")
        }
        var lines = BackupLines(text)
        _ = lines.takeFirst()
        guard let id = lines.take("journal").flatMap({ UUID(uuidString: String($0)) }),
            let description = lines.take("description").flatMap({ Data(base64Encoded: String($0)) }),
            let verifier = lines.take("verifier")
        else { throw BackupManifest.damaged }
        let checkpoint = lines.takeAll("checkpoint").joined(separator: "\n")
        guard let keyBytes = lines.take("keys").flatMap({ Int($0) }), keyBytes >= 0,
            let contents = lines.take("contents"), contents.isDigest
        else { throw BackupManifest.damaged }
        self.init(
            journal: id,
            description: [UInt8](description),
            verifier: String(verifier),
            checkpoint: checkpoint,
            keyBytes: keyBytes,
            contents: String(contents)
        )
        // The text must match exactly: no additional lines, and no other spelling of a value.
        guard self.text.utf8.elementsEqual(text.utf8) else { throw BackupManifest.damaged }
    }

    static var damaged: EventLogError {
        EventLogError(.damaged, "the backup's manifest is damaged; use another backup, or make one in another folder")
    }
}
