import FoundationEssentials
import SwiftProtobuf

extension GrantTerms {
    func stored(for account: UUID) -> StoredCaregiverGranted {
        var stored = StoredCaregiverGranted()
        stored.account = account.stored
        // A set has no order, and the bytes must have one.
        stored.sections = sections.sorted { $0.rawValue < $1.rawValue }.map(\.stored)
        stored.verbs = verbs.sorted { $0.rawValue < $1.rawValue }.map(\.stored)
        if let from { stored.from = from.daysSince1970 }
        if let until { stored.until = until.daysSince1970 }
        return stored
    }

    init(stored: StoredCaregiverGranted) throws(ModelError) {
        self.init(
            sections: Set(try Section.all(stored: stored.sections)),
            verbs: Set(try Verb.all(stored: stored.verbs)),
            from: stored.hasFrom ? Day(daysSince1970: stored.from) : nil,
            until: stored.hasUntil ? Day(daysSince1970: stored.until) : nil
        )
    }
}

extension Invitation {
    var stored: StoredCaregiverInvited {
        var stored = StoredCaregiverInvited()
        stored.id = id.stored
        stored.digest = Data(digest)
        stored.expires = expires.microseconds
        stored.sections = terms.sections.sorted { $0.rawValue < $1.rawValue }.map(\.stored)
        stored.verbs = terms.verbs.sorted { $0.rawValue < $1.rawValue }.map(\.stored)
        if let from = terms.from { stored.from = from.daysSince1970 }
        if let until = terms.until { stored.until = until.daysSince1970 }
        return stored
    }

    init(stored: StoredCaregiverInvited) throws(ModelError) {
        self.init(
            id: try UUID(stored: stored.id, field: "id"),
            digest: [UInt8](stored.digest),
            terms: GrantTerms(
                sections: Set(try Section.all(stored: stored.sections)),
                verbs: Set(try Verb.all(stored: stored.verbs)),
                from: stored.hasFrom ? Day(daysSince1970: stored.from) : nil,
                until: stored.hasUntil ? Day(daysSince1970: stored.until) : nil
            ),
            expires: Instant(microseconds: stored.expires)
        )
    }
}

extension Access {
    var stored: StoredAccess {
        var stored = StoredAccess()
        stored.action = action.rawValue
        stored.sections = sections.map(\.stored)
        stored.entryCount = UInt64(clamping: entryCount)
        if let asOf { stored.asOf = asOf }
        if let happenedBy { stored.happenedBy = happenedBy.daysSince1970 }
        switch grantedBy {
        case .owner: stored.owner = true
        case .grant(let position): stored.grantPosition = position
        case .emergency(let position): stored.emergencyPosition = position
        case .role(let kind): stored.role = kind.stored
        case nil: break
        }
        stored.purpose = purpose
        return stored
    }

    init(stored: StoredAccess) throws(ModelError) {
        guard let action = AccessAction(rawValue: stored.action) else {
            throw ModelError(
                .invalid,
                field: "action",
                "this program does not know the action; a newer one may have written it"
            )
        }
        let right: AccessRight? =
            switch stored.grantedBy {
            case .owner: .owner
            case .grantPosition(let position): .grant(position: position)
            case .emergencyPosition(let position): .emergency(position: position)
            case .role(let kind): .role(try AccountKind(stored: kind))
            case nil: nil
            }
        self.init(
            action: action,
            sections: try Section.all(stored: stored.sections),
            entryCount: Int(clamping: stored.entryCount),
            asOf: stored.hasAsOf ? stored.asOf : nil,
            happenedBy: stored.hasHappenedBy ? Day(daysSince1970: stored.happenedBy) : nil,
            grantedBy: right,
            purpose: stored.purpose
        )
    }
}
