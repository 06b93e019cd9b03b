/// How much work it is to make one password's hash: the parameters of scrypt.
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

    /// What new passwords are hashed with: 32 MiB, and about a tenth of a second.
    package static let standard = PasswordCost(rounds: 1 << 15, blockSize: 8, parallelism: 1)

    /// Within what one sign-in may take of a machine: 128 MiB at most.
    var isBearable: Bool {
        rounds > 1 && rounds & (rounds - 1) == 0 && (1...64).contains(blockSize) && (1...16).contains(parallelism)
            && rounds <= 1 << 20 && 128 * rounds * blockSize <= 1 << 27
    }
}

/// A password as the journal keeps it; the password itself is kept nowhere.
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
        if salt.count < 16 || hash.count < 32 || !cost.isBearable {
            throw ModelError(.invalid, field: "password", "must be a hash of scrypt, with a salt of its own")
        }
    }
}
