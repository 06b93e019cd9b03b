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

    /// A copy of the entry, or of a part of it, that the journal stored elsewhere.
    package struct Copy: Hashable, Sendable {
        /// A word for what contains it, such as `triage`.
        package let what: String
        /// Nil if the account that erased the entry was not allowed to see it.
        package let id: UUID?
        /// `erased`, or a word for why it stays.
        package let fate: String

        package init(what: String, id: UUID?, fate: String) {
            (self.what, self.id, self.fate) = (what, id, fate)
        }

        /// The fate of a copy that was erased together with the entry.
        package static let erased = "erased"
    }

    package let journal: UUID
    package let record: UUID
    /// The entry that was erased; nil if it was the whole record.
    package let entry: UUID?
    /// An RFC 3339 time.
    package let erasedAt: String
    /// The position of the event that records the erasure.
    package let position: UInt64
    package let copies: [Copy]
    package let backups: [Backup]
    /// The proof that the log contains that event, with the signed checkpoint that covers it.
    package let proof: InclusionProof

    package static let header = "healthjournal-erasure-receipt/1"
    /// The maximum number of backups that a receipt lists.
    package static let maximumBackups = 1_000
    /// The maximum number of copies that a receipt lists.
    package static let maximumCopies = 1_000

    package init(
        journal: UUID,
        record: UUID,
        entry: UUID? = nil,
        erasedAt: String,
        position: UInt64,
        copies: [Copy] = [],
        backups: [Backup],
        proof: InclusionProof
    ) {
        self.journal = journal
        self.record = record
        self.entry = entry
        self.erasedAt = erasedAt
        self.position = position
        self.copies = Array(copies.prefix(ErasureReceipt.maximumCopies))
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
        lines += copies.map { "copy \($0.what) \($0.id?.uuidString.lowercased() ?? "-") \($0.fate)" }
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
        let others =
            copies.isEmpty
            ? ""
            : """

            The journal had stored parts of it elsewhere too: each is a line `copy` above, with its id. Those marked
            `erased` went with it. Those marked `recordKey` go only with their whole record. Those marked `ownEntry`
            are entries of their own, which can be erased alone; those marked `notPermitted` or `held` could not be.
            """
        return """
            The data key of this \(what) was destroyed at the time above, and \(gone).
            What the journal holds of it can be read by nobody any more, and nothing can be added to it.\(others)
            \(rest)
            What was exported, printed or sent before, or kept by a device that was not online since, is not reached.
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
        copies = try reader.copies()
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
