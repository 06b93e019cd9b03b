import Foundation
import HealthModel

/// What an account was allowed to see of a record at some moment, and why.
///
/// A pure function of what was known then.
enum Standing {
    case owner
    case caregiver(Grant)
    /// A tool that may add to the record, and sees nothing of it.
    case contributor(Grant)
    /// The emergency view, on top of what the grant lets in to, if anything.
    case emergency(Emergency, Grant, isActive: Bool)
    /// May look at histories, and at nothing else.
    case auditor
    case nothing(Reason)

    enum Reason {
        case noRecord
        case noAccount
        case tool
        case administrator
        case neverGranted
        case revoked(Grant, Stamp)
        case notBegun(Grant)
        case ended(Grant)
    }

    init(
        of account: AccountState?,
        id: UUID,
        to record: RecordState?,
        _ grants: GrantsState,
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
        switch account.kind {
        case .tool:
            let standing = Standing.of(grants[id], on: day)
            self = if case .caregiver(let grant) = standing { .contributor(grant) } else { .nothing(.tool) }
        case .auditor: self = .auditor
        case .administrator: self = .nothing(.administrator)
        case .person where record.owners.contains(id): self = .owner
        case .person:
            let emergency = grants.emergencies.last { $0.account == id }
            if let emergency, emergency.isOpen(at: now), let grant = grants[id], grant.revoked == nil {
                self = .emergency(emergency, grant, isActive: grant.isActive(on: day))
            } else {
                self = Standing.of(grants[id], on: day)
            }
        }
    }

    private static func of(_ grant: Grant?, on day: Day) -> Standing {
        guard let grant else { return .nothing(.neverGranted) }
        if let revoked = grant.revoked { return .nothing(.revoked(grant, revoked)) }
        if grant.isActive(on: day) { return .caregiver(grant) }
        return .nothing(grant.terms.from.map { day < $0 } ?? false ? .notBegun(grant) : .ended(grant))
    }

    /// One word for a program.
    var access: String {
        switch self {
        case .owner: "owner"
        case .caregiver: "caregiver"
        case .contributor: "contributor"
        case .emergency: "emergency"
        case .auditor: "auditor"
        case .nothing: "none"
        }
    }

    var sections: [String] {
        switch self {
        case .owner, .auditor: Section.allCases.map(\.name)
        case .caregiver(let grant), .emergency(_, let grant, isActive: true): grant.terms.sections.names
        case .emergency(_, _, isActive: false): []
        case .contributor, .nothing: []
        }
    }

    /// Kinds that could be seen although no section covers them.
    var kinds: [String] {
        guard case .emergency = self else { return [] }
        return Kind.all.filter(Emergency.kinds.contains).map(\.name)
    }

    var verbs: [String] {
        switch self {
        case .owner: Verb.allCases.map(\.name)
        case .caregiver(let grant), .contributor(let grant): grant.terms.verbs.names
        case .emergency(_, let grant, let isActive): (isActive ? grant.terms.verbs.union([.read]) : [.read]).names
        case .auditor: ["history"]
        case .nothing: []
        }
    }

    /// The grant that the answer rests on, also one that no longer or not yet let anybody in.
    var grant: Grant? {
        switch self {
        case .caregiver(let grant), .contributor(let grant), .emergency(_, let grant, _): grant
        case .nothing(.revoked(let grant, _)), .nothing(.notBegun(let grant)), .nothing(.ended(let grant)): grant
        default: nil
        }
    }

    func why(_ names: Names) -> String {
        switch self {
        case .owner: "owns the record, and may do all"
        case .auditor: "is an auditor, who may look at the history of any entry and at who looked, and at nothing else"
        case .caregiver(let grant): "has a grant, given \(grant.given.shown(names))"
        case .contributor(let grant):
            "is a tool that may add entries to \(grant.terms.sections.names.joined(separator: ", ")), by a grant given "
                + grant.given.shown(names)
        case .emergency(let emergency, _, _):
            "opened the emergency view \(emergency.opened.shown(names)), until \(emergency.expires)"
        case .nothing(.noRecord): "the record was not there yet"
        case .nothing(.noAccount): "the account was not there yet"
        case .nothing(.tool): "is a tool, which may only append"
        case .nothing(.administrator): "is an administrator, who sees nobody's record"
        case .nothing(.neverGranted): "had never been granted anything"
        case .nothing(.revoked(_, let stamp)): "its grant was revoked \(stamp.shown(names))"
        case .nothing(.notBegun(let grant)): "its grant begins on \(grant.terms.from?.description ?? "a later day")"
        case .nothing(.ended(let grant)): "its grant ended with \(grant.terms.until?.description ?? "an earlier day")"
        }
    }
}

extension Stamp {
    /// As `at position 12 by anna on 2024-05-03T10:00:00Z`.
    func shown(_ names: Names) -> String {
        "at position \(position) by \(names.shown(actor)) on \(recordedAt)"
    }
}
