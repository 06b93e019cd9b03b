package import EventLog
internal import FoundationEssentials
internal import HealthModel
package import JournalCore

extension Journal {
    /// The published log, and the checkpoints that witnesses sign.
    package struct Publishing: Sendable {
        let journal: Journal
    }

    package var publishing: Publishing { Publishing(journal: self) }
}

/// Publishing the log for verifiers who have no account, and its witnesses.
extension Journal.Publishing {
    /// The public key that verifies the checkpoints of the log, if it was created.
    package var logVerifier: NoteVerifier? { journal.log.verifier }

    /// The checkpoint that was published last; nil if none was.
    ///
    /// Throws `damaged` if the log does not contain the published checkpoint.
    package func published() throws(EventLogError) -> SignedCheckpoint? { try journal.log.publishedCheckpoint }

    /// Publishes a checkpoint of the log as it is now; for callers who run the journal.
    package func publish(_ caller: Caller) async throws(JournalError) -> SignedCheckpoint {
        do {
            try await journal.access.admit(caller, to: .administer(.manage))
            return try journal.log.publish()
        } catch {
            throw JournalError(error)
        }
    }

    /// Writes the tiles of a published checkpoint into a folder; returns the number of files that were written.
    package func write(_ published: SignedCheckpoint, to folder: String) throws(JournalError) -> Int {
        do { return try journal.log.write(published, to: folder) } catch { throw JournalError(error) }
    }

    /// Replaces the published checkpoint by itself with more cosignatures.
    package func store(published: SignedCheckpoint) throws(JournalError) {
        do { try journal.log.store(published: published) } catch { throw JournalError(error) }
    }

    /// Returns the hashes of a tile of the published log; throws `notFound` if it is not published.
    package func publishedTile(_ tile: LogTile) throws(EventLogError) -> [UInt8] {
        guard let size = tile.minimumSize, let published = try published(), size <= published.checkpoint.size else {
            throw EventLogError(.notFound, "no such tile is published")
        }
        return try journal.log.tile(tile)
    }

    /// Returns a request to a witness that has seen the first `size` events last; nil if it has seen more than are
    /// published.
    package func witnessRequest(
        _ published: SignedCheckpoint,
        since size: UInt64
    ) throws(JournalError) -> WitnessRequest? {
        guard size <= published.checkpoint.size else { return nil }
        do { return try journal.log.witnessRequest(published, since: size) } catch { throw JournalError(error) }
    }

    /// What witnesses said against this log, a line for each; empty if they said nothing.
    package func witnessAlarms() -> [String] { journal.log.witnessAlarms }

    /// Remembers what witnesses said against this log, for `examine`.
    package func remember(witnessAlarms: [String]) throws(JournalError) {
        do { try journal.log.remember(witnessAlarms: witnessAlarms) } catch { throw JournalError(error) }
    }
}
