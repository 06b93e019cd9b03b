internal import EventLog
package import FoundationEssentials
package import HealthModel
internal import JournalEvents
internal import MedicalRecords

extension Journal.Entries {
    /// Authorizes a caller to attach a file, before the file is sent; a refusal is recorded.
    package func admitDocument(to record: UUID, _ caller: Caller) async throws(JournalError) {
        try await journal.retrying {
            _ = try await journal.access.admit(caller, to: .contribute(Document.kind, .adding), on: record)
        }
    }

    /// Stores a file's bytes sealed, and adds the entry that refers to them.
    package func attachDocument(
        _ bytes: [UInt8],
        _ content: EntryContent,
        to record: UUID,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        guard content.kind == Document.kind else {
            throw JournalError(.invalid, field: "kind", "only a document has a file")
        }
        return try await addEntry(content.naming(bytes), to: record, file: bytes, caller)
    }

    /// Stores files again that were removed before the entries that refer to them were added.
    ///
    /// Another entry with the same file may have been erased in between: see `eraseEntry`.
    package func storeRemoved(_ files: [(bytes: [UInt8], record: UUID)]) throws {
        for (bytes, record) in files where try !journal.log.blobs.holds(BlobStore.digest(of: bytes), subject: record) {
            _ = try journal.log.blobs.put(bytes, subject: record)
        }
    }

    /// Throws if an entry refers to a file that the journal does not hold, which could never be read.
    package func requireFile(of content: EntryContent, in record: UUID) throws {
        guard let digest = content.fileDigest, try !journal.log.blobs.holds(digest, subject: record) else { return }
        throw JournalError(
            .conflict,
            field: Document.content.name,
            "the journal has no such file for this record: attach the file itself, or mark it as missing"
        )
    }

    /// Reports whether the journal has a file of an entry, or the entry is erased.
    package func holdsFile(_ digest: String, of entry: UUID, in record: UUID) throws -> Bool {
        try journal.log.blobs.holds(digest, subject: record) || isErased(entry: entry, of: record)
    }

    /// Returns the bytes of the file of an entry; nil for an entry without one.
    ///
    /// Throws an error that names the entry if the journal does not have the file, except for a retracted entry.
    package func fileBytes(of entry: EntryState) throws -> [UInt8]? {
        guard let digest = entry.content.fileDigest else { return nil }
        guard try journal.log.blobs.holds(digest, subject: entry.record) else {
            if entry.isRetracted { return nil }
            throw JournalError.missingFiles([entry.id])
        }
        return try journal.log.blobs.get(digest, subject: entry.record)
    }

    /// Returns the documents, in any record, whose files the journal does not have.
    package func missingFiles() throws -> [UUID] { try unusableFiles(checksContent: false).missing }

    /// Returns the documents, in any record, whose files the journal does not have, or cannot open.
    ///
    /// Reads all files if `checksContent` is true; otherwise none is called damaged.
    package func unusableFiles(checksContent: Bool) throws -> (missing: [UUID], damaged: [UUID]) {
        var (missing, damaged): ([UUID], [UUID]) = ([], [])
        let head = try journal.log.head()
        var documents = MedicalRecordsView.Selection()
        documents.kinds = [Document.kind]
        for record in try journal.medicalRecords.records(asOf: head) {
            let entries =
                try journal.records.unlessErased {
                    try journal.contents(for: .checking).record(record, asOf: head, documents)?.entries
                } ?? []
            for entry in entries {
                guard !entry.isRetracted, let digest = entry.content.fileDigest,
                    let isHere = try journal.records.unlessErased({
                        try journal.log.blobs.holds(digest, subject: record)
                    })
                else { continue }
                if !isHere {
                    missing.append(entry.id)
                } else if checksContent, !opens(digest, of: record) {
                    damaged.append(entry.id)
                }
            }
        }
        return (missing, damaged)
    }

    /// Returns the digests of the attachments of a record, by the names of their files.
    package func attachmentDigests(of record: UUID) throws -> [String: String] {
        var documents = MedicalRecordsView.Selection()
        documents.kinds = [Document.kind]
        let entries =
            try journal.contents(for: .checking).record(record, asOf: journal.log.head(), documents)?.entries ?? []
        return try entries.compactMap(\.content.fileDigest)
            .reduce(into: [:]) { names, digest in
                names[try journal.log.blobs.fileName(of: digest, subject: record)] = digest
            }
    }

    /// Whether an attachment can be read and is what its digest says; also true if the record was erased meanwhile.
    package func opens(_ digest: String, of record: UUID) -> Bool {
        do throws(EventLogError) {
            _ = try journal.log.blobs.get(digest, subject: record)
            return true
        } catch {
            return error.code == .subjectErased
        }
    }

    /// Returns a document's file, whatever record the document belongs to.
    package func document(_ entry: UUID, _ caller: Caller) async throws(JournalError) -> AttachedFile {
        try await journal.retrying {
            guard let state = try journal.contents(for: .decision).entry(entry, asOf: journal.log.head()) else {
                throw try await absence(of: entry, caller) { .read([$0], .document) }
            }
            let admission = try await journal.access.admit(caller, to: .read([state.kind], .document), on: state.record)
            let file = try file(of: state)
            try await journal.access.trace(caller, admission, Shown(state, version: state.latest.position))
            return file
        }
    }

    /// Returns the file of a document of a record, as the document was known now or at a moment.
    package func document(
        _ entry: UUID,
        of record: UUID,
        asOf moment: AsOf? = nil,
        _ caller: Caller
    ) async throws(JournalError) -> AttachedFile {
        try await journal.retrying {
            let admission = try await journal.access.admit(caller, to: .read([Document.kind], .document), on: record)
            let position = try journal.log.position(asOf: moment)
            guard let state = try journal.contents(admission).entry(entry, asOf: position), state.record == record
            else {
                throw try absence(of: entry, in: record, of: Document.kind)
            }
            let file = try file(of: state)
            try await journal.access.trace(
                caller,
                admission,
                Shown(state, asOf: moment == nil ? nil : position, version: position)
            )
            return file
        }
    }

    private func file(of state: EntryState) throws -> AttachedFile {
        guard let bytes = try fileBytes(of: state) else { throw JournalError.noFile }
        return AttachedFile(
            name: state.content.body.text(Document.name) ?? "document",
            mediaType: state.content.body.text(Document.mediaType),
            bytes: bytes
        )
    }
}

/// A file as it was attached.
package struct AttachedFile: Sendable {
    package let name: String
    package let mediaType: String?
    package let bytes: [UInt8]
}

extension JournalError {
    package static let noFile = JournalError(.notFound, "the journal has no file for that entry")

    /// The error for documents whose files the journal does not have; it says how to go on.
    package static func missingFiles(_ entries: [UUID]) -> JournalError {
        let named = named(entries)
        return JournalError(
            .conflict,
            entries.count == 1
                ? """
                the journal does not have the file of document \(named): attach the same file to the record again, or \
                retract the document
                """
                : """
                the journal does not have the files of document \(named): attach the same file to the record again, or \
                retract the document
                """
        )
    }

    /// The error for documents whose files are here and cannot be opened; it says how to go on.
    package static func damagedFiles(_ entries: [UUID]) -> JournalError {
        let named = named(entries)
        return JournalError(
            .conflict,
            entries.count == 1
                ? """
                the file of document \(named) is damaged or cannot be read: attach the same file to the record again, or \
                copy it from a backup
                """
                : """
                the files of document \(named) are damaged or cannot be read: attach the same file to the record again, \
                or copy it from a backup
                """
        )
    }

    private static func named(_ entries: [UUID]) -> Message {
        let named = entries.prefix(namedFiles).map(\.text).joined(separator: ", ")
        let more = entries.count - namedFiles
        return more > 0 ? "\(named) and of \(more) more" : Message(verbatim: named)
    }

    /// How many documents a message names.
    static let namedFiles = 10
}

extension EntryContent {
    /// Returns the content of a document entry that refers to the bytes by their digest.
    package func naming(_ bytes: [UInt8]) -> EntryContent {
        var content = self
        var reference = FieldValues()
        reference[Document.digest] = .text(BlobStore.digest(of: bytes))
        reference[Document.size] = .integer(Int64(bytes.count))
        content.body[Document.content] = .group(reference)
        content.body[Document.missing] = nil
        return content
    }
}
