internal import Crypto
internal import CryptoExtras

// Unicode normalization needs the whole of Foundation.
internal import Foundation
internal import HealthModel

/// A password as it was typed, in the normalized form that is hashed.
struct Password: Sendable {
    static let shortest = 10
    static let longest = 1_024

    /// The NFC form in UTF-8, because the same keys produce different code points on different machines.
    private let bytes: [UInt8]

    /// Creates a password that is to be set for an account; throws if it is too short, too long, or easy to guess.
    init(setting text: String, ofAccount name: String) throws(JournalError) {
        guard text.utf8.count <= Password.longest, let password = Password(typed: text) else {
            throw JournalError(.invalid, field: "password", "is longer than \(Password.longest) bytes")
        }
        guard text.count >= Password.shortest else {
            throw JournalError(.invalid, field: "password", "must have at least \(Password.shortest) characters")
        }
        if let weakness = PasswordGuesses.weakness(of: text, names: [name]) {
            throw JournalError(.invalid, field: "password", weakness.message)
        }
        self = password
    }

    /// Creates a password that is to be compared with a stored one; nil if it is empty or too long.
    init?(typed text: String) {
        guard text.utf8.count <= Password.longest else { return nil }
        bytes = Array(text.precomposedStringWithCanonicalMapping.utf8)
        guard !bytes.isEmpty else { return nil }
    }

    /// Returns a hash with a fresh salt.
    func hash(_ cost: PasswordCost) throws -> PasswordHash {
        let salt = (0..<16).map { _ in UInt8.random(in: 0...255) }
        let hash = unsafe try derive(salt, cost).withUnsafeBytes { unsafe [UInt8]($0) }
        return PasswordHash(salt: salt, hash: hash, cost: cost)
    }

    /// Reports whether the hash is of this password, in a time that does not depend on the result.
    func matches(_ stored: PasswordHash) throws -> Bool {
        // `SymmetricKey` compares in constant time.
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
