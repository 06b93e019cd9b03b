internal import Crypto
package import FoundationEssentials
internal import LMDB
internal import Platform

/// Attachments, each sealed in a file whose name reveals nothing about the content.
///
/// The key of a file is derived from its subject's key and from the digest of its content, which only the entries that
/// refer to it name: when they are erased, no copy of the file can be opened any more.
package struct BlobStore: Sendable {
    /// The maximum size of an attachment, in bytes.
    package static let maximumBytes = 100 << 20

    let folder: JournalFolder
    let keys: KeyStore
    /// Nil for a read-only log.
    let reserve: DiskReserve?

    /// Stores bytes durably, unless they are stored already, and returns their SHA-256 in hexadecimal digits.
    package func put(_ bytes: [UInt8], subject: UUID) throws(EventLogError) -> String {
        guard bytes.count <= BlobStore.maximumBytes else {
            throw EventLogError(.tooLarge, "an attachment may have at most \(BlobStore.maximumBytes) bytes")
        }
        try KeyStore.requireSubject(subject)
        try keys.ensure([subject])
        let key = try keys.key(for: subject)
        let digest = BlobStore.digest(of: bytes)
        let path = path(of: digest, subject, key)
        // A damaged attachment is written again.
        let fileKey = BlobStore.key(of: digest, key)
        if let sealed = try? BlobStore.read(path), (try? BlobStore.open(sealed, digest, fileKey)) != nil {
            return digest
        }
        try reserve?.requireFull()
        do {
            let sealed = try BlobStore.sealed(bytes, digest, fileKey)
            try Folder.makePrivate(folder.blobs(of: subject))
            try DurableFile.replace(path, with: sealed)
            // The subject may have been erased in the meantime, and its attachments removed before this file was
            // written. Only this file is removed here: the erasure may still be undone, so it removes the other
            // attachments itself.
            if try keys.erased().contains(subject) {
                try DurableFile.remove(path)
                throw EventLogError(.subjectErased, "the data of this subject was erased; nothing can be added to it")
            }
        } catch {
            throw EventLogError(error, "the attachment could not be sealed")
        }
        return digest
    }

    /// Returns the bytes with the given SHA-256; throws if they are missing or damaged.
    package func get(_ digest: String, subject: UUID) throws(EventLogError) -> [UInt8] {
        let key = try keys.key(for: subject)
        do {
            let sealed = try BlobStore.read(path(of: digest, subject, key))
            if let bytes = try? BlobStore.open(sealed, digest, BlobStore.key(of: digest, key)) { return bytes }
            // Earlier versions sealed a file under its subject's key.
            return try BlobStore.open(sealed, digest, key)
        } catch {
            throw EventLogError(error, as: .damaged, "the attachment is damaged: its seal cannot be opened")
        }
    }

    private static func read(_ path: String) throws(StorageError) -> [UInt8] {
        try DurableFile.read(path, atMost: maximumBytes + 64)
    }

    static func sealed(_ bytes: [UInt8], _ digest: String, _ key: SymmetricKey) throws -> [UInt8] {
        let box = try AES.GCM.seal(bytes, using: key, authenticating: Array(digest.utf8))
        return Array(box.nonce) + box.ciphertext + box.tag
    }

    static func open(_ sealed: [UInt8], _ digest: String, _ key: SymmetricKey) throws -> [UInt8] {
        guard sealed.count >= 28 else { throw EventLogError(.damaged, "the attachment is damaged") }
        let box = try AES.GCM.SealedBox(
            nonce: AES.GCM.Nonce(data: sealed.prefix(12)),
            ciphertext: sealed.dropFirst(12).dropLast(16),
            tag: sealed.suffix(16)
        )
        let bytes = try [UInt8](AES.GCM.open(box, using: key, authenticating: Array(digest.utf8)))
        guard BlobStore.digest(of: bytes) == digest else {
            throw EventLogError(.damaged, "the attachment is damaged")
        }
        return bytes
    }

    private static func key(of digest: String, _ subject: SymmetricKey) -> SymmetricKey {
        SymmetricKey(
            data: HMAC<SHA256>.authenticationCode(for: Array("attachment:".utf8) + Array(digest.utf8), using: subject)
        )
    }

    /// Removes the file with the given SHA-256, if there is one.
    package func remove(_ digest: String, subject: UUID) throws(EventLogError) {
        let path = path(of: digest, subject, try keys.key(for: subject))
        guard DurableFile.exists(path) else { return }
        do throws(StorageError) {
            try DurableFile.remove(path)
            try Folder.sync(folder.blobs(of: subject))
        } catch {
            throw EventLogError(error)
        }
    }

    /// Reports whether bytes with the given SHA-256 are stored for a subject.
    package func holds(_ digest: String, subject: UUID) throws(EventLogError) -> Bool {
        DurableFile.exists(path(of: digest, subject, try keys.key(for: subject)))
    }

    /// Returns the name of the file with the given SHA-256.
    package func fileName(of digest: String, subject: UUID) throws(EventLogError) -> String {
        BlobStore.name(of: digest, try keys.key(for: subject))
    }

    /// Returns the SHA-256 of bytes in hexadecimal digits.
    package static func digest(of bytes: [UInt8]) -> String {
        hexadecimal(SHA256.hash(data: bytes))
    }

    /// Removes all attachments of a subject.
    func remove(of subject: UUID) throws(EventLogError) {
        do throws(StorageError) {
            try DurableFile.removeFolder(folder.blobs(of: subject))
        } catch {
            throw EventLogError(error)
        }
    }

    private func path(of digest: String, _ subject: UUID, _ key: SymmetricKey) -> String {
        folder.blobs(of: subject) + "/" + BlobStore.name(of: digest, key)
    }

    /// A keyed hash, so that no one without the key can test whether a given document is in the journal.
    private static func name(of digest: String, _ key: SymmetricKey) -> String {
        hexadecimal(HMAC<SHA256>.authenticationCode(for: Array(digest.utf8), using: key))
    }

    private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

extension EventLog {
    /// The journal's attachments.
    package var blobs: BlobStore { BlobStore(folder: folder, keys: keys, reserve: reserve) }

    /// Derives an id with the subject's key from a value that must not be stored in plaintext, such as a stream's name.
    ///
    /// The same value and subject always give the same id.
    package func opaqueID(of value: String, subject: UUID) throws(EventLogError) -> UUID {
        try KeyStore.requireSubject(subject)
        try keys.ensure([subject])
        var bytes = Array(
            HMAC<SHA256>.authenticationCode(for: Array(value.utf8), using: try keys.key(for: subject)).prefix(16)
        )
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        return bytes.raw.uuid(at: 0)
    }
}
