import Foundation
import HealthModel

/// The access of an account to a record at a moment, and the reason for it.
///
/// A pure function of the state that was known at that moment.
enum AccountAccess {
    case owner
    case caregiver(Grant)
    /// A tool that may add entries to the record but cannot read it.
    case contributor(Grant)
    /// The emergency view, in addition to the access of the grant while that is active.
    case emergency(Emergency, Grant, isActive: Bool)
    /// Through a practice that the account is a member of.
    case practice(PracticeAccess)
    /// May read histories and the list of accesses, and nothing else.
    case auditor
    case nothing(Reason)

    indirect enum Reason {
        case noRecord
        case noAccount
        case accountRemoved(Stamp)
        case tool
        case administrator
        case neverGranted
        case revoked(Grant, Stamp)
        case notBegun(Grant)
        case ended(Grant)
        /// A member of a practice that has no access; nil if it has, but not for the member's roles.
        case member(of: UUID, Set<ClinicRole>, Reason?)
        /// A member of the practice that keeps the record, in roles that may read no entries of it.
        case keeper(UUID, Set<ClinicRole>)
        /// The emergency view that the practice opened by the microchip number is over, and it had no other access.
        case emergencyOver(Emergency)
    }

    init(
        of account: AccountState?,
        id: UUID,
        to record: RecordState?,
        _ grants: GrantsState,
        _ members: [UUID: MembersState],
        at now: Instant,
        on day: Day
    ) {
        guard let record else {
            self = .nothing(.noRecord)
            return
        }
        guard let account else {
            self = .nothing(.noAccount)
            return
        }
        if let removed = account.removed {
            self = .nothing(.accountRemoved(removed))
            return
        }
        switch account.kind {
        case .tool:
            let access = AccountAccess.of(grants[id], on: day)
            self = if case .caregiver(let grant) = access { .contributor(grant) } else { .nothing(.tool) }
        case .auditor: self = .auditor
        case .administrator: self = .nothing(.administrator)
        case .person where record.owners.contains(id): self = .owner
        case .person:
            let emergency = grants.emergencies.last { $0.account == id }
            if let emergency, emergency.isOpen(at: now), let grant = grants[id],
                grant.opensEmergency(on: day)
            {
                self = .emergency(emergency, grant, isActive: grant.isActive(on: day))
            } else {
                self = AccountAccess.of(grants[id], on: day)
            }
            // Who is a caregiver as well reads by the right that shows more.
            if let shared = PracticeAccess.widest(of: id, to: record, grants, members, at: now, on: day),
                shared.breadth > Kind.all.count(where: { sees($0) })
            {
                self = .practice(shared)
            } else if case .nothing(.neverGranted) = self,
                let reason = Reason(ofMember: id, of: record, grants, members, at: now, on: day)
            {
                self = .nothing(reason)
            }
        }
    }

    fileprivate static func of(_ grant: Grant?, on day: Day) -> AccountAccess {
        guard let grant else { return .nothing(.neverGranted) }
        if let revoked = grant.revoked { return .nothing(.revoked(grant, revoked)) }
        if grant.isActive(on: day) { return .caregiver(grant) }
        return .nothing(grant.terms.from.map { day < $0 } ?? false ? .notBegun(grant) : .ended(grant))
    }

    /// The access as one word, for programs.
    var access: String {
        switch self {
        case .owner: "owner"
        case .caregiver: "caregiver"
        case .contributor: "contributor"
        case .emergency: "emergency"
        case .practice: "practice"
        case .auditor: "auditor"
        case .nothing: "none"
        }
    }

    var sections: [Section] {
        switch self {
        case .owner, .auditor: Section.allCases
        case .caregiver(let grant), .emergency(_, let grant, isActive: true): grant.terms.sections.sorted()
        case .emergency(_, _, isActive: false): []
        case .practice(let shared): shared.sections
        case .contributor, .nothing: []
        }
    }

    /// Whether entries of a kind could be read.
    func sees(_ kind: Kind) -> Bool {
        guard verbs.contains(Verb.read.name) || verbs.contains("history") else { return false }
        return sections.contains(kind.section) || kinds.contains(kind)
    }

    /// Kinds that could be read although no section covers them.
    var kinds: [Kind] {
        switch self {
        case .emergency: Kind.all.filter(Emergency.kinds.contains)
        case .practice(let shared): shared.kinds
        default: []
        }
    }

    var verbs: [String] {
        switch self {
        case .owner: Verb.allCases.map(\.name)
        case .caregiver(let grant), .contributor(let grant): grant.terms.verbs.names
        case .emergency(_, let grant, let isActive): (isActive ? grant.terms.verbs.union([.read]) : [.read]).names
        case .practice(let shared): shared.verbs
        case .auditor: ["history"]
        case .nothing: []
        }
    }

    /// What could be done, in words.
    var deeds: [String] {
        if case .nothing(.keeper(_, let roles)) = self {
            let all = ["edit the profile", "hand the record over"]
            return roles.contains(.manager) ? all + ["erase the record"] : all
        }
        return verbs.map { (try? Verb(named: $0).word) ?? $0 }
    }

    /// The grant that the answer is based on, even if it was revoked, has ended or has not begun.
    var grant: Grant? {
        switch self {
        case .caregiver(let grant), .contributor(let grant), .emergency(_, let grant, _): grant
        case .practice(let shared): shared.grant
        case .nothing(.revoked(let grant, _)), .nothing(.notBegun(let grant)), .nothing(.ended(let grant)): grant
        default: nil
        }
    }

    func why(_ names: ShownNames, in zone: TimeZone) -> String {
        switch self {
        case .owner: "owns the record, and may do everything"
        case .auditor: "is an auditor, who may read the history of any entry and the list of accesses, and nothing else"
        case .caregiver(let grant): "has a grant, given \(grant.shown(names, in: zone))"
        case .contributor(let grant):
            "is a tool that may add entries to \(grant.terms.sectionWords.joined(separator: ", ")), by a grant given "
                + grant.shown(names, in: zone)
        case .emergency(let emergency, _, _):
            "opened the emergency view \(emergency.opened.shown(names, in: zone)), until \(emergency.expires.text(in: zone))"
        case .practice(let shared): shared.why(names, in: zone)
        case .nothing(let reason): reason.text(names, in: zone)
        }
    }
}

extension AccountAccess.Reason {
    /// Why a member of practices has no access by them; nil for who is a member of none with a grant or the record.
    fileprivate init?(
        ofMember account: UUID,
        of record: RecordState,
        _ grants: GrantsState,
        _ members: [UUID: MembersState],
        at now: Instant,
        on day: Day
    ) {
        let practices = members.sorted { $0.key.text < $1.key.text }
            .compactMap { practice, state -> (practice: UUID, roles: Set<ClinicRole>)? in
                let roles = state.roles(of: account, on: day)
                let had =
                    grants[practice] != nil || record.owners.contains(practice)
                    || grants.emergencies.contains { $0.account == practice }
                return roles.isEmpty || !had ? nil : (practice, roles)
            }
        // Who has several practices is told about one whose access fails for its roles alone, if there is one.
        let reasons = practices.map { member -> Self in
            let (practice, roles) = member
            if record.owners.contains(practice) { return .keeper(practice, roles) }
            if case .nothing(let reason) = AccountAccess.of(grants[practice], on: day) {
                if let view = grants.emergencies.last(where: { $0.account == practice }),
                    grants[practice].map({ view.isLater(than: $0) }) ?? true
                {
                    // While it is open, it is the role that may read nothing.
                    return .member(of: practice, roles, view.isOpen(at: now) ? nil : .emergencyOver(view))
                }
                return .member(of: practice, roles, reason)
            }
            return .member(of: practice, roles, nil)
        }
        guard let first = reasons.first else { return nil }
        self =
            reasons.first { reason in
                switch reason {
                case .member(_, _, nil), .keeper: true
                default: false
                }
            } ?? first
    }

    fileprivate func text(_ names: ShownNames, in zone: TimeZone) -> String {
        switch self {
        case .noRecord: "the record did not exist yet"
        case .noAccount: "the account did not exist yet"
        case .accountRemoved(let stamp): "the account was removed \(stamp.shown(names, in: zone))"
        case .tool: "is a tool, which may only append"
        case .administrator: "is an administrator, who may not read any record"
        case .neverGranted: "never had a grant"
        case .revoked(_, let stamp): "its grant was revoked \(stamp.shown(names, in: zone))"
        case .notBegun(let grant): "its grant begins on \(grant.terms.from?.description ?? "a later day")"
        case .ended(let grant): "its grant ended with \(grant.terms.until?.description ?? "an earlier day")"
        case .emergencyOver(let emergency):
            emergency.ended.map { "its emergency view was closed \($0.shown(names, in: zone))" }
                ?? "its emergency view ended on \(emergency.expires.text(in: zone))"
        case .keeper(let practice, let roles):
            "is a \(roles.sorted().map(\.name).joined(separator: " and ")) of \(names.name(practice) ?? practice.beginning), "
                + "which keeps the record; the role may read no entries of it"
        case .member(let practice, let roles, let reason):
            Self.text(of: roles, at: names.name(practice) ?? practice.beginning, reason?.text(names, in: zone))
        }
    }

    /// Why a member of a practice has no access; `reason` is why the practice has none.
    private static func text(of roles: Set<ClinicRole>, at practice: String, _ reason: String?) -> String {
        let member = "is a \(roles.sorted().map(\.name).joined(separator: " and ")) of \(practice)"
        guard let reason else { return "\(member), of whose access the role may read nothing" }
        let ended = "\(member), which has no access: \(reason)"
        guard !roles.isDisjoint(with: [.veterinarian, .manager]) else { return ended }
        return "\(ended); not counting what the practice itself wrote before, which the role may read with a purpose"
    }
}

extension Grant {
    /// The grant in words, such as `at position 12 by owner on 2024-05-03T12:00:00+02:00`; for an invitation, by the
    /// inviter.
    func shown(_ names: ShownNames, in zone: TimeZone) -> String {
        guard let invitedBy else { return given.shown(names, in: zone) }
        return
            "at position \(given.position) by \(names.shown(invitedBy)) on \(given.recordedAt.text(in: zone)), by an "
            + "invitation that \(names.shown(given.actor)) accepted"
    }
}

extension Stamp {
    /// The stamp in words, such as `at position 12 by anna on 2024-05-03T12:00:00+02:00`.
    func shown(_ names: ShownNames, in zone: TimeZone) -> String {
        "at position \(position) by \(names.shown(actor)) on \(recordedAt.text(in: zone))"
    }
}

extension Emergency {
    /// Whether the view was opened after a grant had ended.
    fileprivate func isLater(than grant: Grant) -> Bool {
        if let revoked = grant.revoked { return opened.position > revoked.position }
        return grant.terms.until.map { Day(of: opened.recordedAt) > $0 } ?? false
    }
}
