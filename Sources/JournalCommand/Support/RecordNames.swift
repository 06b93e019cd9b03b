import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange

extension JournalAccess {
    /// Returns the record with an id, the unique beginning of an id, or a name.
    ///
    /// Names are those of the records that the account may see, and of the patients of its practices. Looking one up is
    /// recorded as listing these records.
    func record(_ text: String) async throws -> UUID {
        if let id = UUID(uuidString: text) { return id }
        if Journal.isIDBeginning(text) {
            do {
                return try await record(beginning: text)
            } catch let error as JournalError where error.code == .notFound {
                // It may be a name.
            }
        }
        var names = RecordNames()
        for record in try await perform(.listRecords(asOf: nil)) { names.add(record.id, record.displayName) }
        for practice in try await staffedPractices() {
            for patient in try await perform(.patients(of: practice, named: text)) {
                names.add(patient.record, patient.name)
            }
        }
        return try names.record(text)
    }

    /// The practices in which the account sees the patients; none on a replica, which has no practices.
    private func staffedPractices() async throws -> [UUID] {
        do {
            return try await perform(.practices()).filter { !$0.roles.isEmpty && $0.closedAt == nil }.map(\.id)
        } catch let error as JournalError where error.code == .outdated || error.code == .refused {
            return []
        }
    }
}

/// Records, found by their names.
struct RecordNames {
    private var ids: [UUID] = []
    private var names: [String] = []

    /// How many records an error lists.
    private static let maximumListed = 8

    mutating func add(_ id: UUID, _ name: String) {
        guard !ids.contains(id) else { return }
        ids.append(id)
        names.append(name)
    }

    /// Returns the record that has a name or, if none has it, the only one with a word that begins with it.
    ///
    /// Case and accents do not count. A mistyped name is refused, with the names that may have been meant.
    func record(_ text: String) throws(JournalError) -> UUID {
        let folded = FoldedName(text)
        var found = names.indices.filter { FoldedName(names[$0]) == folded }
        if found.isEmpty { found = similar(to: text, mistyped: false) }
        if found.count == 1 { return ids[found[0]] }
        if found.isEmpty {
            let near = similar(to: text, mistyped: true)
            let hint = near.isEmpty ? "see: healthjournal record list" : "did you mean \(list(near))?"
            throw JournalError(.notFound, field: "record", "you see no record with that name or id; \(hint)")
        }
        throw JournalError(
            .invalid,
            field: "record",
            "is the name of several records: \(list(found)); give more of the name, or the id"
        )
    }

    private func similar(to text: String, mistyped: Bool) -> [Int] {
        let query = NameQuery(text)
        if mistyped, !query.allowsError { return [] }
        return NameIndex(names.map { [$0] }).matches(query, mistyped: mistyped, limit: .max).map(\.item)
    }

    private func list(_ found: [Int]) -> String {
        let length = UUID.lengthOfBeginnings(found.map { ids[$0] })
        let listed = found.prefix(Self.maximumListed).map { "\(names[$0]) (\(ids[$0].text.prefix(length)))" }
        let more = found.count - listed.count
        return listed.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    }
}

extension UUID {
    /// Returns how many characters tell some ids apart, at the end of a group of digits.
    ///
    /// Ids begin with the time at which they were made, in milliseconds, in the first 13 characters.
    static func lengthOfBeginnings(_ ids: some Collection<UUID>) -> Int {
        let texts = Set(ids).map(\.text)
        return [13, 18, 23].first { length in Set(texts.map { $0.prefix(length) }).count == texts.count } ?? 36
    }
}
