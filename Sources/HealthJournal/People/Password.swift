internal import CryptoExtras
internal import Crypto
// Texts are brought to one spelling only where all of Foundation is there.
internal import Foundation
internal import HealthModel

/// A password as somebody typed it, in the one spelling in which it is hashed.
struct Password: Sendable {
    static let shortest = 10
    static let longest = 1_024

    /// Its NFC in UTF-8: the same keys give other code points on other machines.
    private let bytes: [UInt8]

    /// A password that may be set.
    init(setting text: String) throws(JournalError) {
        guard text.utf8.count <= Password.longest, let password = Password(typed: text) else {
            throw JournalError(.invalid, field: "password", "is longer than \(Password.longest) bytes")
        }
        guard text.count >= Password.shortest else {
            throw JournalError(.invalid, field: "password", "must have at least \(Password.shortest) characters")
        }
        self = password
    }

    /// What is to be compared with one that was set; nil for what cannot have been.
    init?(typed text: String) {
        guard text.utf8.count <= Password.longest else { return nil }
        bytes = Array(text.precomposedStringWithCanonicalMapping.utf8)
        guard !bytes.isEmpty else { return nil }
    }

    /// A hash under a fresh salt.
    func hash(_ cost: PasswordCost) throws -> PasswordHash {
        let salt = (0..<16).map { _ in UInt8.random(in: 0...255) }
        let hash = unsafe try derive(salt, cost).withUnsafeBytes { unsafe [UInt8]($0) }
        return PasswordHash(salt: salt, hash: hash, cost: cost)
    }

    /// Whether the hash is of this password; takes as long whatever the answer.
    func matches(_ stored: PasswordHash) throws -> Bool {
        // Keys are compared in constant time.
        try derive(stored.salt, stored.cost) == SymmetricKey(data: stored.hash)
    }

    private func derive(_ salt: [UInt8], _ cost: PasswordCost) throws -> SymmetricKey {
        try KDF.Scrypt.deriveKey(
            from: bytes,
            salt: salt,
            outputByteCount: 32,
            rounds: cost.rounds,
            blockSize: cost.blockSize,
            parallelism: cost.parallelism
        )
    }
}
