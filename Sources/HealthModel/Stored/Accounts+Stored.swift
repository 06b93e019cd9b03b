import FoundationEssentials
import SwiftProtobuf

extension AccountProfile {
    var stored: StoredAccountAdded {
        .with {
            $0.name = name
            $0.email = email
            $0.kind = kind.stored
        }
    }

    init(stored: StoredAccountAdded) throws(ModelError) {
        self.init(name: stored.name, email: stored.email, kind: try AccountKind(stored: stored.kind))
    }
}

extension Token {
    var stored: StoredTokenIssued {
        var stored = StoredTokenIssued()
        stored.id = id.stored
        stored.scope = scope.description
        if let expires { stored.expires = expires.microseconds }
        stored.digest = Data(digest)
        return stored
    }

    init(stored: StoredTokenIssued) throws(ModelError) {
        self.init(
            id: try UUID(stored: stored.id, field: "id"),
            scope: try TokenScope(parsing: stored.scope),
            expires: stored.hasExpires ? Instant(microseconds: stored.expires) : nil,
            digest: [UInt8](stored.digest)
        )
    }
}

extension PasswordHash {
    var stored: StoredPasswordSet {
        .with {
            $0.salt = Data(salt)
            $0.hash = Data(hash)
            $0.rounds = UInt32(clamping: cost.rounds)
            $0.blockSize = UInt32(clamping: cost.blockSize)
            $0.parallelism = UInt32(clamping: cost.parallelism)
        }
    }

    init(stored: StoredPasswordSet) {
        self.init(
            salt: [UInt8](stored.salt),
            hash: [UInt8](stored.hash),
            cost: PasswordCost(
                rounds: Int(stored.rounds),
                blockSize: Int(stored.blockSize),
                parallelism: Int(stored.parallelism)
            )
        )
    }
}

extension AccountSession {
    var stored: StoredSessionBegun {
        .with {
            $0.id = id.stored
            $0.digest = Data(digest)
            $0.expires = expires.microseconds
        }
    }

    init(stored: StoredSessionBegun) throws(ModelError) {
        self.init(
            id: try UUID(stored: stored.id, field: "id"),
            digest: [UInt8](stored.digest),
            expires: Instant(microseconds: stored.expires)
        )
    }
}

extension AccountIdentity {
    var stored: StoredIdentityLinked {
        .with {
            $0.id = id.stored
            $0.issuer = issuer
            $0.subject = subject
        }
    }

    init(stored: StoredIdentityLinked) throws(ModelError) {
        self.init(id: try UUID(stored: stored.id, field: "id"), issuer: stored.issuer, subject: stored.subject)
    }
}
