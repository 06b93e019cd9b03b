internal import EventLog
internal import JournalEvents
package import FoundationEssentials
package import HealthModel
internal import MedicalRecords

extension Journal {
    /// Authorizes a caller to attach a file, before the file is sent; a refusal is recorded.
    package func admitDocument(to record: UUID, _ caller: Caller) async throws(JournalError) {
        try await retrying { _ = try await admit(caller, to: .contribute(Document.kind, .adding), on: record) }
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
    func storeRemoved(_ files: [(bytes: [UInt8], record: UUID)]) throws {
        for (bytes, record) in files where try !log.blobs.holds(BlobStore.digest(of: bytes), subject: record) {
            _ = try log.blobs.put(bytes, subject: record)
        }
    }

    /// Throws if an entry refers to a file that the journal does not hold, which could never be read.
    func requireFile(of content: EntryContent, in record: UUID) throws {
        guard let digest = content.fileDigest, try !log.blobs.holds(digest, subject: record) else { return }
        throw JournalError(
            .conflict,
            field: Document.content.name,
            "the journal has no such file for this record: attach the file itself, or mark it as missing"
        )
    }

    /// Returns a document's file, whatever record the document belongs to.
    package func document(_ entry: UUID, _ caller: Caller) async throws(JournalError) -> AttachedFile {
        try await retrying {
            guard let state = try records.entry(entry, asOf: log.head()) else {
                throw try await absence(of: entry, caller) { .read([$0], .document) }
            }
            let admission = try await admit(caller, to: .read([state.kind], .document), on: state.record)
            let file = try file(of: state)
            try await trace(caller, admission, Shown(state, version: state.latest.position))
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
        try await retrying {
            let admission = try await admit(caller, to: .read([Document.kind], .document), on: record)
            let position = try log.position(asOf: moment)
            guard let state = try records.entry(entry, asOf: position), state.record == record else {
                throw try absence(of: entry, in: record, of: Document.kind)
            }
            let file = try file(of: state)
            try await trace(
                caller,
                admission,
                Shown(state, asOf: moment == nil ? nil : position, version: position)
            )
            return file
        }
    }

    private func file(of state: EntryState) throws -> AttachedFile {
        guard let digest = state.content.fileDigest else { throw JournalError.noFile }
        return AttachedFile(
            name: state.content.body.text(Document.name) ?? "document",
            mediaType: state.content.body.text(Document.mediaType),
            bytes: try log.blobs.get(digest, subject: state.record)
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
