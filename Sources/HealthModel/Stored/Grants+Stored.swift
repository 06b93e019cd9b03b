import FoundationEssentials
import SwiftProtobuf

extension GrantTerms {
    func stored(for account: UUID, invitedBy: UUID?) -> StoredCaregiverGranted {
        var stored = StoredCaregiverGranted()
        stored.account = account.stored
        // A set has no order; sorting makes the encoding deterministic.
        stored.sections = sections.sorted { $0.rawValue < $1.rawValue }.map(\.stored)
        stored.verbs = verbs.sorted { $0.rawValue < $1.rawValue }.map(\.stored)
        if let from { stored.from = from.daysSince1970 }
        if let until { stored.until = until.daysSince1970 }
        stored.emergencyAfterEnd = emergencyAfterEnd
        if let invitedBy { stored.invitedBy = invitedBy.stored }
        return stored
    }

    init(stored: StoredCaregiverGranted) throws(ModelError) {
        self.init(
            sections: Set(try Section.all(stored: stored.sections)),
            verbs: Set(try Verb.all(stored: stored.verbs)),
            from: stored.hasFrom ? Day(daysSince1970: stored.from) : nil,
            until: stored.hasUntil ? Day(daysSince1970: stored.until) : nil,
            emergencyAfterEnd: stored.emergencyAfterEnd
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
        stored.emergencyAfterEnd = terms.emergencyAfterEnd
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
                until: stored.hasUntil ? Day(daysSince1970: stored.until) : nil,
                emergencyAfterEnd: stored.emergencyAfterEnd
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
        if let version { stored.version = version }
        stored.shown = shown.flatMap { run in
            [UInt64(run.kind)] + (run.added.map { [$0.lowerBound, $0.upperBound - $0.lowerBound] } ?? [0, 0])
        }
        stored.includesRetracted = includesRetracted
        if let events { stored.events = [events.lowerBound, events.upperBound - events.lowerBound] }
        return stored
    }

    init(stored: StoredAccess) throws(ModelError) {
        let action = try AccessAction(stored: stored.action)
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
            purpose: stored.purpose,
            version: stored.hasVersion ? stored.version : nil,
            shown: try ShownEntries.all(stored: stored.shown),
            includesRetracted: stored.includesRetracted,
            events: try ClosedRange(stored: stored.events, field: "events")
        )
    }
}

extension AccessSummary {
    var stored: StoredAccessSummarised {
        .with {
            $0.action = action.rawValue
            $0.sections = sections.map(\.stored)
            $0.count = UInt64(clamping: count)
            $0.first = first.microseconds
            $0.last = last.microseconds
        }
    }

    init(stored: StoredAccessSummarised) throws(ModelError) {
        self.init(
            action: try AccessAction(stored: stored.action),
            sections: try Section.all(stored: stored.sections),
            count: Int(clamping: stored.count),
            first: Instant(microseconds: stored.first),
            last: Instant(microseconds: stored.last)
        )
    }
}

extension AccessAction {
    fileprivate init(stored: String) throws(ModelError) {
        guard let action = AccessAction(rawValue: stored) else {
            throw ModelError(
                .invalid,
                field: "action",
                "this program does not know the action; a newer one may have written it"
            )
        }
        self = action
    }
}

extension ShownEntries {
    fileprivate static func all(stored: [UInt64]) throws(ModelError) -> [ShownEntries] {
        guard stored.count % 3 == 0 else { throw ModelError(.invalid, field: "shown", "must be in groups of three") }
        var all: [ShownEntries] = []
        for index in stride(from: 0, to: stored.count, by: 3) {
            guard let kind = UInt16(exactly: stored[index]) else {
                throw ModelError(.invalid, field: "shown", "names an invalid kind")
            }
            let isWhole = stored[index + 1] == 0
            let added = try isWhole ? nil : ClosedRange(stored: stored[(index + 1)...(index + 2)], field: "shown")
            all.append(ShownEntries(kind: kind, added: added))
        }
        return all
    }
}

extension ClosedRange<UInt64> {
    /// Creates a range from its first position and the distance to its last one; nil if `stored` is empty.
    fileprivate init?(stored: some RandomAccessCollection<UInt64>, field: String) throws(ModelError) {
        guard let first = stored.first, let length = stored.last else { return nil }
        let (last, isOver) = first.addingReportingOverflow(length)
        guard stored.count == 2, !isOver else { throw ModelError(.invalid, field: field, "is not a position range") }
        self = first...last
    }
}
