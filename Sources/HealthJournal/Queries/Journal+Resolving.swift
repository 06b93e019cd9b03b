internal import CaregiverPermissions
internal import EventLog
package import FoundationEssentials
internal import HealthModel
internal import MedicalRecords

extension Journal {
    /// The fewest characters of an id that are taken for it.
    package static let shortestPrefix = 8

    /// The record of an id, or of the start of one.
    ///
    /// Only records that the caller may see something of are looked through.
    package func record(_ text: String, _ caller: Caller) throws(JournalError) -> UUID {
        try Journal.resolve(text, "record") { prefix throws in
            let seen = try seenKinds(by: caller)
            let erased = try tombstones(caller).map(\.record)
            return try records.ids(startingWith: prefix, limit: Journal.candidates).records.filter { seen[$0] != nil }
                + erased.filter { [UInt8]($0).starts(with: prefix) }
        }
    }

    /// The entry of an id, or of the start of one.
    package func entry(_ text: String, _ caller: Caller) throws(JournalError) -> UUID {
        try Journal.resolve(text, "entry") { prefix throws in
            let seen = try seenKinds(by: caller)
            return try records.ids(startingWith: prefix, limit: Journal.candidates).entries
                .filter { entry in
                    // An entry that may not be seen is not there: not even as one of several that begin alike.
                    guard let place = try records.place(ofEntry: entry), let kind = Kind.coded(place.kind) else {
                        return false
                    }
                    return seen[place.record]?.contains(kind) ?? false
                }
        }
    }

    /// The account of a name, an id, or the start of one.
    package func accountID(_ text: String) throws(JournalError) -> UUID {
        do {
            if let account = try account(named: text) { return account.id }
        } catch {
            throw JournalError(error)
        }
        return try Journal.resolve(text, "account") { _ throws in try permissions.accounts(asOf: log.head()) }
    }

    /// Ids that are looked at for one prefix.
    private static var candidates: Int { 100_000 }

    /// What kinds of entries the caller may see today, of each record that it may see at all.
    private func seenKinds(by caller: Caller) throws -> [UUID: Set<Kind>] {
        let head = try log.head()
        if caller.kind == .auditor {
            return Dictionary(uniqueKeysWithValues: try records.records(asOf: head).map { ($0, Set(Kind.all)) })
        }
        var seen: [UUID: Set<Kind>] = [:]
        for found in try permissions.records(of: caller.account, asOf: head) {
            let verdict = Gate.decide(
                .read(nil, .read),
                by: caller,
                permission: found.permission,
                now: now,
                today: today
            )
            if case .allowed(_, let sight) = verdict { seen[found.record] = sight.kinds }
        }
        return seen
    }

    /// The one id that begins like a text; `candidates` answers those that may.
    package static func resolve(
        _ text: String,
        _ what: String,
        _ candidates: (_ prefix: [UInt8]) throws -> [UUID]
    ) throws(JournalError) -> UUID {
        if let id = UUID(uuidString: text) { return id }
        let digits = text.lowercased().filter { $0 != "-" }
        guard digits.count >= Journal.shortestPrefix, digits.count <= 32, digits.allSatisfy(\.isHexDigit) else {
            throw JournalError(
                .notFound,
                "there is no such \(what); ids are UUIDs, or the first \(Journal.shortestPrefix) or more characters of one"
            )
        }
        do {
            // Looked up by whole bytes; an odd last digit narrows what was found.
            let found = try candidates(digits.wholeBytes).filter { $0.text.filter { $0 != "-" }.hasPrefix(digits) }
            guard let first = found.first else { throw JournalError(.notFound, "there is no such \(what)") }
            guard found.count == 1 else {
                throw JournalError(.invalid, "several ids begin like that; give more of the \(what)'s id")
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
