/// A password of the account was set.
package struct PasswordSet: EventData {
    package var password: PasswordHash

    package static var type: EventType { EventType(code: 13) }

    package static let definition = EventDefinition(
        "account.passwordSet",
        .account,
        "Password set",
        { salt, hash, rounds, blockSize, parallelism in
            let cost = PasswordCost(rounds: rounds, blockSize: blockSize, parallelism: parallelism)
            return PasswordSet(password: PasswordHash(salt: salt, hash: hash, cost: cost))
        },
        EventField(1, "salt", \.password.salt, .stored),
        EventField(2, "hash", \.password.hash, .stored),
        EventField(3, "rounds", \.password.cost.rounds, .stored),
        EventField(4, "blockSize", \.password.cost.blockSize, .stored),
        EventField(5, "parallelism", \.password.cost.parallelism, .stored)
    )

    package var summary: EventSummary { "a new password of \(.account)" }
}

extension JournalEvent {
    package static func passwordSet(_ password: PasswordHash) -> JournalEvent {
        JournalEvent(PasswordSet(password: password))
    }
}
