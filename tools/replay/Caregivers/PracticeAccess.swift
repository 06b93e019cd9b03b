import EventLog
import Foundation
import HealthModel
import JournalEvents

/// The access to a record that a member of a practice has by the practice, within the member's roles.
struct PracticeAccess {
    /// Why the practice has access.
    enum Basis {
        /// It keeps the record of an animal whose owner has no account.
        case custodian
        case grant(Grant)
    }

    let practice: UUID
    let roles: Set<ClinicRole>
    /// Nil if the practice has no access but by its emergency view.
    let basis: Basis?
    /// The view that the practice opened by the microchip of the animal, if it is open.
    let emergency: Emergency?

    /// What the roles permit to read, as the table in Access-of-practices says; empty if it is nothing.
    var sections: [Section] {
        guard roles.contains(where: \.isClinical) else { return [] }
        let all: Set<Section>
        switch basis {
        case .custodian: all = Set(Section.allCases)
        case .grant(let grant): all = grant.terms.verbs.contains(.read) ? grant.terms.sections : []
        case nil: all = []
        }
        return (roles.contains(.veterinarian) ? all : all.intersection([.myhealth])).sorted()
    }

    var kinds: [Kind] {
        guard emergency != nil, roles.contains(where: \.isClinical) else { return [] }
        return Kind.all.filter(Emergency.kinds.contains)
    }

    var verbs: [String] {
        switch basis {
        case .custodian: [Verb.read.name, Verb.contribute.name]
        case .grant(let grant): grant.terms.verbs.names
        case nil: [Verb.read.name]
        }
    }

    var grant: Grant? { if case .grant(let grant) = basis { grant } else { nil } }

    /// Returns the widest access that an account has by its practices; nil if it can read nothing by them.
    static func widest(
        of account: UUID,
        to record: RecordState,
        _ grants: GrantsState,
        _ members: [UUID: MembersState],
        at now: Instant,
        on day: Day
    ) -> PracticeAccess? {
        var found: [PracticeAccess] = []
        for (practice, state) in members {
            let grant = grants[practice].flatMap { $0.isActive(on: day) ? $0 : nil }
            let opened = grants.emergencies.last { $0.account == practice }
            found.append(
                PracticeAccess(
                    practice: practice,
                    roles: state.roles(of: account, on: day),
                    basis: record.owners.contains(practice) ? .custodian : grant.map { .grant($0) },
                    emergency: opened.flatMap { $0.isOpen(at: now) ? $0 : nil }
                )
            )
        }
        return found.filter { $0.breadth > 0 }.max { ($0.breadth, $0.practice.text) < ($1.breadth, $1.practice.text) }
    }

    /// How many kinds of entries can be read.
    var breadth: Int { Set(kinds).union(Kind.all.filter { sections.contains($0.section) }).count }

    func why(_ names: ShownNames, in zone: TimeZone) -> String {
        let role = roles.sorted().map(\.name).joined(separator: " and ")
        let member = "is a \(role) of \(names.name(practice) ?? practice.beginning), which "
        var reasons: [String] = []
        switch basis {
        case .custodian: reasons.append("keeps the record")
        case .grant(let grant): reasons.append("has a grant, given \(grant.shown(names, in: zone))")
        case nil: break
        }
        if let emergency {
            let opened = emergency.opened.shown(names, in: zone)
            reasons.append("opened the emergency view \(opened), until \(emergency.expires.text(in: zone))")
        }
        return member + reasons.joined(separator: ", and ")
    }
}

extension OpenJournal {
    /// Returns the members of the practices that own a record, have a grant to it, or opened its emergency view.
    func membersOfPractices(of record: RecordFold, through end: UInt64) throws -> [UUID: MembersState] {
        let holders =
            Set(record.state?.owners ?? []).union(record.grants.grants.keys)
            .union(record.grants.emergencies.map(\.account))
        var members: [UUID: MembersState] = [:]
        try log.forEachEvent(
            through: end,
            where: { holders.contains($0.subject) && $0.category == EventCategory.practice.rawValue },
            { event in
                if case .read(let recorded) = log.content(of: event) {
                    evolve(&members[recorded.subject, default: MembersState()], recorded)
                }
                return true
            }
        )
        return members
    }
}
