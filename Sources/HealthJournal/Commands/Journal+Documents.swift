internal import EventLog
package import FoundationEssentials
package import HealthModel
internal import MedicalRecords

extension Journal {
    /// Keeps a file's bytes sealed, and adds the entry that names them.
    package func attachDocument(
        _ bytes: [UInt8],
        _ content: EntryContent,
        to record: UUID,
        _ caller: Caller
    ) async throws(JournalError) -> WriteResult {
        try await retrying {
            guard content.kind == Document.kind else {
                throw JournalError(.invalid, field: "kind", "only a document has a file")
            }
            _ = try await admit(caller, to: .contribute(content.kind, .adding), on: record)
            let content = content.naming(bytes)
            let isClosed = try records.header(of: record, asOf: log.head())?.isClosed ?? false
            // What will be refused leaves no bytes behind.
            _ = try decide(.add(content), nil, isClosed: isClosed, now: now)
            _ = try log.blobs.put(bytes, subject: record)
            return try await addEntry(content, to: record, caller)
        }
    }

    /// Refuses an entry that names a file which the journal does not hold: nobody could ever read it.
    func requireFile(of content: EntryContent, in record: UUID) throws {
        guard let digest = content.fileDigest, try !log.blobs.holds(digest, subject: record) else { return }
        throw JournalError(
            .conflict,
            field: Document.content.name,
            "the journal holds no such file of this record: attach the file itself, or say that it is missing"
        )
    }

    /// The name and the bytes of a document.
    package func document(_ entry: UUID, _ caller: Caller) async throws(JournalError) -> (name: String, bytes: [UInt8])
    {
        try await retrying {
            let head = try log.head()
            guard let state = try records.entry(entry, asOf: head) else {
                throw try await absence(of: entry, caller) { .read([$0], .document) }
            }
            let admission = try await admit(caller, to: .read([state.kind], .document), on: state.record)
            guard state.kind == Document.kind,
                let digest = state.content.body.group(Document.content)?.text(Document.digest)
            else {
                throw JournalError(.notFound, "the journal holds no file for that entry")
            }
            let bytes = try log.blobs.get(digest, subject: state.record)
            try await trace(caller, admission, Shown(sections: [state.kind.section], entryCount: 1))
            return (state.content.body.text(Document.name) ?? "document", bytes)
        }
    }
}

extension EntryContent {
    /// By what the file of a document is found.
    var fileDigest: String? {
        kind == Document.kind ? body.group(Document.content)?.text(Document.digest) : nil
    }

    /// The content of a document entry that names its bytes by their digest.
    func naming(_ bytes: [UInt8]) -> EntryContent {
        var content = self
        var reference = FieldValues()
        reference[Document.digest] = .text(BlobStore.digest(of: bytes))
        reference[Document.size] = .integer(Int64(bytes.count))
        content.body[Document.content] = .group(reference)
        content.body[Document.missing] = nil
        return content
    }
}
