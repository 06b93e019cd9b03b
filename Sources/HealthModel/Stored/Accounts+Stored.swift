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
