internal import CaregiverPermissions
internal import EventLog
package import FoundationEssentials
internal import HealthModel
internal import MedicalRecords

extension Journal.Records {
    /// The minimum number of characters of an abbreviated id.
    package static let shortestPrefix = 8

    /// Whether a text can be the beginning of an id that is long enough to be looked up.
    package static func isIDBeginning(_ text: String) -> Bool {
        let digits = text.filter { $0 != "-" }
        return (shortestPrefix...32).contains(digits.count) && digits.allSatisfy(\.isHexDigit)
    }

    /// Returns the record of an id, or of an abbreviated id.
    ///
    /// An abbreviated id is compared only with records that the caller may see in part or in full.
    package func record(_ text: String, _ caller: Caller) throws(JournalError) -> UUID {
        try Self.resolve(text, "record") { prefix throws in
            let seen = try seenKinds(by: caller)
            let erased = try journal.erasure.tombstones(caller).map(\.record)
            return try journal.medicalRecords.ids(startingWith: prefix, limit: Self.candidates).records
                .filter { seen[$0] != nil }
                + erased.filter { [UInt8]($0).starts(with: prefix) }
        }
    }

    /// Returns the entry of an id, or of an abbreviated id.
    package func entry(_ text: String, _ caller: Caller) throws(JournalError) -> UUID {
        try Self.resolve(text, "entry") { prefix throws in
            let seen = try seenKinds(by: caller)
            return try journal.medicalRecords.ids(startingWith: prefix, limit: Self.candidates).entries
                .filter { entry in
                    // An entry that the caller may not see is treated as missing, so that it does not make an id
                    // ambiguous either.
                    guard let place = try journal.medicalRecords.place(ofEntry: entry),
                        let kind = Kind.coded(place.kind)
                    else {
                        return false
                    }
                    return seen[place.record]?.contains(kind) ?? false
                }
        }
    }

    /// The maximum number of ids that are examined for one prefix.
    private static var candidates: Int { 100_000 }

    /// Returns the kinds of entries that the caller may see today, for each record that it may see in part or in full.
    private func seenKinds(by caller: Caller) throws -> [UUID: Set<Kind>] {
        let head = try journal.log.head()
        // An account that may read histories without a permission on the record may read those of all records.
        if case .allowed = Gate.decide(
            .audit(.list),
            by: caller,
            permission: .none,
            now: journal.now,
            today: journal.today
        ) {
            return Dictionary(
                uniqueKeysWithValues: try journal.medicalRecords.records(asOf: head).map { ($0, Set(Kind.all)) }
            )
        }
        var seen: [UUID: Set<Kind>] = [:]
        for found in try journal.access.permittedRecords(of: caller.account, asOf: head) {
            let decision = Gate.decide(
                .read(nil, .read),
                by: caller,
                permission: found.permission,
                now: journal.now,
                today: journal.today
            )
            if case .allowed(_, let scope) = decision { seen[found.record] = scope.kinds.subtracting(scope.since.keys) }
        }
        for membership in try journal.access.memberships(of: caller) {
            for found in try journal.permissions.records(of: membership.practice, asOf: head) {
                var permission = found.permission
                // Ids are not abbreviated in an emergency.
                permission.emergency = nil
                let decision = Gate.decide(.read(nil, .read), by: caller, as: membership, permission: permission)
                if case .allowed(_, let scope) = decision { seen[found.record, default: []].formUnion(scope.kinds) }
            }
        }
        return seen
    }

    /// Returns the one id that begins with a text; `candidates` returns the ids to choose from.
    package static func resolve(
        _ text: String,
        _ what: String,
        _ candidates: (_ prefix: [UInt8]) throws -> [UUID]
    ) throws(JournalError) -> UUID {
        if let id = UUID(uuidString: text) { return id }
        guard isIDBeginning(text) else {
            throw JournalError(
                .notFound,
                "there is no such \(what); ids are UUIDs, or the first \(Self.shortestPrefix) or more characters of one"
            )
        }
        let digits = text.lowercased().filter { $0 != "-" }
        do {
            // Looked up by whole bytes; an odd last digit filters the result.
            let found = try candidates(digits.wholeBytes).filter { $0.text.filter { $0 != "-" }.hasPrefix(digits) }
            guard let first = found.first else { throw JournalError(.notFound, "there is no such \(what)") }
            guard found.count == 1 else {
                throw JournalError(.invalid, "several ids begin like that; give more characters of the \(what)'s id")
            }
            return first
        } catch {
            throw JournalError(error)
        }
    }
}

extension String {
    fileprivate var wholeBytes: [UInt8] {
        let digits = compactMap(\.hexDigitValue)
        return (0..<digits.count / 2).map { UInt8(digits[2 * $0] * 16 + digits[2 * $0 + 1]) }
    }
}
