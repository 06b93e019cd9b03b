internal import Platform

/// An existing backup as described by its manifest, which is signed by the key that it names itself.
struct ExistingBackup {
    let manifest: BackupManifest
    let contents: BackupContents
    let checkpoint: SignedCheckpoint
    let verifier: NoteVerifier

    /// Reads the manifest and the contents of a backup, and checks that they belong together.
    ///
    /// The caller must check that this key is the journal's own.
    init(in path: String) throws(EventLogError) {
        let file = path + "/" + BackupLayout.manifest
        guard DurableFile.exists(file) else {
            throw EventLogError(.notABackup, "there is no backup in \(path), or it was never finished")
        }
        do {
            let note = try DurableFile.read(file, atMost: BackupLayout.maximumManifestBytes)
            let signed = try SignedNote(parsing: note[...])
            guard let text = String(validating: signed.text, as: UTF8.self) else { throw BackupManifest.damaged }
            manifest = try BackupManifest(parsing: text)
            verifier = try NoteVerifier(parsing: manifest.verifier)
            let origin = Checkpoint.origin(of: manifest.journal)
            guard verifier.name == origin, try signed.signers(among: [verifier]).contains(verifier) else {
                throw BackupManifest.damaged
            }
            checkpoint = try SignedCheckpoint(parsing: manifest.checkpoint, verifiedBy: [verifier])
            let listed = try DurableFile.read(
                path + "/" + BackupLayout.contents + manifest.contents,
                atMost: BackupLayout.maximumContentsBytes
            )
            guard BackupFiles.digest(listed) == manifest.contents,
                let text = String(validating: listed, as: UTF8.self)
            else { throw BackupManifest.damaged }
            contents = try BackupContents(parsing: text)
            guard checkpoint.checkpoint.origin == origin, contents.head == checkpoint.checkpoint.size else {
                throw BackupManifest.damaged
            }
        } catch is ProofError {
            throw BackupManifest.damaged
        } catch {
            throw EventLogError(error, "the backup in \(path) cannot be read")
        }
    }
}
