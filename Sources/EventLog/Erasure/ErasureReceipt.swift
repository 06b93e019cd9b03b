package import FoundationEssentials

/// The receipt that a person gets when their record, or an entry of it, was erased, signed by the journal.
///
/// It states when that was erased, lists the backups that still contain the key, and proves that the log contains
/// the erasure event. It names no person and contains no health data. `init(parsing:)` checks only the form of a
/// receipt; `init(parsing:verifiedBy:)` also checks its signature and its proof.
package struct ErasureReceipt: Hashable, Sendable {
    /// A backup that was made before the key was destroyed and was not updated since.
    package struct Backup: Hashable, Sendable {
        /// An RFC 3339 time.
        package let madeAt: String
        /// The position of the last event in the backup.
        package let head: UInt64
        package let place: String

        package init(madeAt: String, head: UInt64, place: String) {
            self.madeAt = madeAt
            self.head = head
            self.place = place
        }
    }

    package let journal: UUID
    package let record: UUID
    /// The entry that was erased; nil if it was the whole record.
    package let entry: UUID?
    /// An RFC 3339 time.
    package let erasedAt: String
    /// The position of the event that records the erasure.
    package let position: UInt64
    package let backups: [Backup]
    /// The proof that the log contains that event, with the signed checkpoint that covers it.
    package let proof: InclusionProof

    package static let header = "healthjournal-erasure-receipt/1"
    /// The maximum number of backups that a receipt lists.
    package static let maximumBackups = 1_000

    package init(
        journal: UUID,
        record: UUID,
        entry: UUID? = nil,
        erasedAt: String,
        position: UInt64,
        backups: [Backup],
        proof: InclusionProof
    ) {
        self.journal = journal
        self.record = record
        self.entry = entry
        self.erasedAt = erasedAt
        self.position = position
        self.backups = Array(backups.prefix(ErasureReceipt.maximumBackups))
        self.proof = proof
    }

    /// The id under which the key file marks as erased what the receipt is about.
    package var erased: UUID { entry.map { EntryKeys.slot(of: $0, in: record) } ?? record }

    /// Returns the whole receipt, with its signature.
    package func note(signedBy signer: NoteSigner) throws(ProofError) -> String { try signer.note(text) }

    /// The text that is signed.
    ///
    /// It consists of fields for programs, an explanation for the person, and the proof in the form that it also has
    /// alone.
    var text: String {
        var lines = [
            ErasureReceipt.header,
            "journal \(journal.uuidString.lowercased())",
            "record \(record.uuidString.lowercased())",
        ]
        if let entry { lines.append("entry \(entry.uuidString.lowercased())") }
        lines += ["erased \(erasedAt)", "position \(position)"]
        lines += backups.map { "backup \($0.madeAt) \($0.head) \(ErasureReceipt.escaped($0.place))" }
        lines += ["", explanation, ""]
        return lines.joined(separator: "\n") + "\n" + proof.text
    }

    private var explanation: String {
        let what = entry == nil ? "record" : "entry"
        let rest =
            backups.isEmpty
            ? "No backup that this journal knows of holds the key still."
            : """
            The backups named above hold the key still, until each is next brought up to date.
            Whoever has one of them and the journal's master key can read the \(what): keep them apart.
            """
        let gone =
            entry == nil
            ? "its attachments were removed" : "no file that only this entry had can be opened"
        return """
            The data key of this \(what) was destroyed at the time above, and \(gone).
            What the journal holds of it can be read by nobody any more, and nothing can be added to it.
            \(rest)
            Whoever restores this journal from an older backup should give this receipt to the restore.
            The proof below shows that the journal's log holds the event that says so; it checks without the
            journal, from the line that begins with c2sp.org to the end of the first signature.
            """
    }

    /// Parses a receipt without checking its signature.
    package init(parsing bytes: [UInt8]) throws(ProofError) {
        try self.init(note: SignedNote(parsing: bytes[...]))
    }

    private init(note: SignedNote) throws(ProofError) {
        var reader = try ReceiptReader(note.text)
        journal = try reader.id("journal")
        record = try reader.id("record")
        entry = try reader.optionalID("entry")
        erasedAt = try reader.time("erased")
        position = try reader.number("position")
        guard position > 0 else { throw ProofError(.malformed, "no event has position 0", line: reader.lastLine) }
        backups = try reader.backups()
        proof = try reader.proof()
    }

    /// Parses a receipt, and checks that its journal signed it and that its proof covers the erasure event.
    package init(parsing bytes: [UInt8], verifiedBy known: [NoteVerifier]) throws(ProofError) {
        let note = try SignedNote(parsing: bytes[...])
        try self.init(note: note)
        let origin = Checkpoint.origin(of: journal)
        guard try note.signers(among: known).contains(where: { $0.name.utf8.elementsEqual(origin.utf8) }) else {
            throw ProofError(.unknownKey, "the receipt is of the log \(origin), but that log has not signed it")
        }
        guard let leaf = proof.leaf, proof.index == position - 1,
            try proof.check(leaf, verifiedBy: known).checkpoint.origin == origin
        else {
            throw ProofError(.mismatch, "the receipt's proof is for another event than the receipt")
        }
    }

    /// Escapes control characters and `%` in a place, so that it fits on one line.
    static func escaped(_ place: String) -> String {
        var bytes: [UInt8] = []
        for byte in place.utf8 {
            if byte < 0x20 || byte == UInt8(ascii: "%") {
                let digits = Array("0123456789abcdef".utf8)
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
