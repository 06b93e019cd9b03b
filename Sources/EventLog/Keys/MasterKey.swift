package import Crypto
internal import FoundationEssentials
internal import Platform

/// The key that seals all data keys of a journal, stored in a separate file outside the journal's folder.
package struct MasterKey: Sendable {
    let key: SymmetricKey

    package init() {
        key = SymmetricKey(size: .bits256)
    }

    /// Reads a key file, which only its owner may have access to.
    package init(file path: String) throws(EventLogError) {
        guard DurableFile.exists(path) else {
            throw EventLogError(.masterKeyMissing, "there is no master key at \(path); name it with --master-key-file")
        }
        if FileStatus(following: path)?.isFolder == true {
            throw EventLogError(
                .masterKeyMissing,
                "\(path) is a folder; name the file of the master key with --master-key-file"
            )
        }
        if let permissions = DurableFile.permissions(of: path), permissions & 0o077 != 0 {
            throw EventLogError(.masterKeyMissing, "others can read the master key at \(path); run: chmod 600 \(path)")
        }
        let bytes: [UInt8]
        do throws(StorageError) {
            // The path is often a symbolic link to a mounted secret.
            bytes = try DurableFile.read(path, atMost: 4096, followsLinks: true)
        } catch {
            throw EventLogError(.masterKeyMissing, "the master key at \(path) cannot be read: \(error)")
        }
        guard let key = MasterKey(text: bytes) else {
            throw EventLogError(.masterKeyWrong, "the file at \(path) is not a master key of a health journal")
        }
        self = key
    }

    /// Parses the text of a key file and ignores surrounding white space; nil if it is not a master key.
    package init?(text bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters
        guard text.hasPrefix(MasterKey.prefix),
            let data = Data(base64Encoded: String(text.dropFirst(MasterKey.prefix.count))),
            data.count == 32
        else { return nil }
        key = SymmetricKey(data: data)
    }

    /// Writes a new key file durably, readable only by its owner.
    ///
    /// If root writes it, its owner becomes that of the key file `replacing`, or else that of the folder.
    package func write(to path: String, replacing old: String? = nil) throws(EventLogError) {
        let text = unsafe MasterKey.prefix + key.withUnsafeBytes { unsafe Data($0) }.base64EncodedString() + "\n"
        do throws(StorageError) {
            try DurableFile(path: path, mode: .create, replacing: old).write(Array(text.utf8), at: 0)
        } catch {
            throw EventLogError(.masterKeyMissing, "the master key cannot be written to \(path): \(error)")
        }
    }

    /// Bytes that identify the key without revealing it (an HMAC, 16 bytes).
    var fingerprint: [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Array("healthjournal master key".utf8), using: key).prefix(16))
    }

    /// Returns a key for one purpose, derived from the master key.
    package func derived(for purpose: String) -> SymmetricKey {
        HKDF<SHA256>
            .deriveKey(inputKeyMaterial: key, info: Array("healthjournal \(purpose)".utf8), outputByteCount: 32)
    }

    private static let prefix = "healthjournal-master-key-1:"
}

extension String {
    fileprivate var trimmingCharacters: String {
        String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }
}
