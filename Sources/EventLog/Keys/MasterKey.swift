internal import Crypto
internal import FoundationEssentials
internal import LMDB

/// The key that wraps all data keys of a journal: a file of its own, outside the journal's folder.
package struct MasterKey: Sendable {
    let key: SymmetricKey

    package init() {
        key = SymmetricKey(size: .bits256)
    }

    /// Reads a key file, which must be open to nobody but its owner.
    package init(file path: String) throws(EventLogError) {
        guard DurableFile.exists(path) else {
            throw EventLogError(.masterKeyMissing, "there is no master key at \(path); name it with --master-key-file")
        }
        if let permissions = DurableFile.permissions(of: path), permissions & 0o077 != 0 {
            throw EventLogError(.masterKeyMissing, "others can read the master key at \(path); run: chmod 600 \(path)")
        }
        let bytes: [UInt8]
        do throws(LMDBError) {
            bytes = try DurableFile.read(path, atMost: 4096)
        } catch {
            throw EventLogError(.masterKeyMissing, "the master key at \(path) cannot be read: \(error)")
        }
        guard let key = MasterKey(text: bytes) else {
            throw EventLogError(.masterKeyWrong, "the file at \(path) is not a master key of a health journal")
        }
        self = key
    }

    /// The key that the text of a key file holds; white space around it does not matter.
    package init?(text bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters
        guard text.hasPrefix(MasterKey.prefix),
            let data = Data(base64Encoded: String(text.dropFirst(MasterKey.prefix.count))),
            data.count == 32
        else { return nil }
        key = SymmetricKey(data: data)
    }

    /// Writes a new key file, durably, readable by its owner alone.
    package func write(to path: String) throws(EventLogError) {
        let text = unsafe MasterKey.prefix + key.withUnsafeBytes { unsafe Data($0) }.base64EncodedString() + "\n"
        do throws(LMDBError) {
            try DurableFile(path: path, mode: .create).write(Array(text.utf8), at: 0)
        } catch {
            throw EventLogError(.masterKeyMissing, "the master key cannot be written to \(path): \(error)")
        }
    }

    /// Tells one key from another without saying anything of it.
    var fingerprint: [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Array("healthjournal master key".utf8), using: key).prefix(16))
    }

    private static let prefix = "healthjournal-master-key-1:"
}

extension String {
    fileprivate var trimmingCharacters: String {
        String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }
}
