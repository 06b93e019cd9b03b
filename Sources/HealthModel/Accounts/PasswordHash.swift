/// The cost of hashing one password: the parameters of scrypt.
package struct PasswordCost: Hashable, Sendable {
    /// scrypt's N: a power of two.
    package var rounds: Int
    /// scrypt's r.
    package var blockSize: Int
    /// scrypt's p.
    package var parallelism: Int

    package init(rounds: Int, blockSize: Int, parallelism: Int) {
        self.rounds = rounds
        self.blockSize = blockSize
        self.parallelism = parallelism
    }

    /// The cost for new passwords: 32 MiB of memory and about a tenth of a second.
    package static let standard = PasswordCost(rounds: 1 << 15, blockSize: 8, parallelism: 1)

    /// Whether the parameters are valid and one sign-in needs at most 128 MiB of memory.
    var isWithinLimits: Bool {
        rounds > 1 && rounds & (rounds - 1) == 0 && (1...64).contains(blockSize) && (1...16).contains(parallelism)
            && rounds <= 1 << 20 && 128 * rounds * blockSize <= 1 << 27
    }
}

/// The hash of a password, as stored in the journal; the password itself is never stored.
package struct PasswordHash: Hashable, Sendable {
    package var salt: [UInt8]
    package var hash: [UInt8]
    package var cost: PasswordCost

    package init(salt: [UInt8], hash: [UInt8], cost: PasswordCost) {
        self.salt = salt
        self.hash = hash
        self.cost = cost
    }

    func validate() throws(ModelError) {
        if salt.count < 16 || hash.count < 32 || !cost.isWithinLimits {
            throw ModelError(.invalid, field: "password", "must be an scrypt hash with its own salt")
        }
    }
}
