import EventLog
import Foundation
import HealthModel
import JournalEvents

extension OpenJournal {
    /// The maximum number of candidates that an error lists.
    private static let namedCandidates = 5

    /// Finds a record by its id or, with the key, by its name.
    func record(_ text: String) throws -> UUID {
        let identified = try Identifier(text).flatMap { try find($0, "record", RecordCreated.type, { $0.subject }) }
        if let identified { return identified }
        let names = try names(through: log.head()).allRecords
        switch NameChoice(text, among: names.map(\.name)) {
        case .one(let index, _): return names[index].id
        case .several(let found):
            throw Failure(.usage, "several records have that name: \(list(found.map { names[$0] }))")
        case .similar(let found):
            let near = found.isEmpty ? "" : "; did you mean \(list(found.map { names[$0] }))?"
            let hint = keyProblem.map { " (names cannot be read: \($0))" } ?? near
            throw Failure(.notFound, "there is no record with this name or id\(hint)")
        }
    }

    private func list(_ names: [(id: UUID, name: String)]) -> String {
        names.prefix(OpenJournal.namedCandidates).map { "\($0.name) (\($0.id.text))" }.joined(separator: ", ")
    }

    func entry(_ text: String) throws -> UUID {
        try find(text, "entry", addedBy: EntryAdded.type) { $0.entry }
    }

    /// Finds an account by its id or its name.
    func account(_ text: String) throws -> UUID {
        let identified = try Identifier(text).flatMap { try find($0, "account", AccountAdded.type, { $0.subject }) }
        if let found = try identified ?? account(named: text) { return found }
        let hint = keyProblem.map { " (names cannot be read: \($0))" } ?? ""
        throw Failure(.notFound, "there is no account with this name or id\(hint)")
    }

    private func account(named name: String) throws -> UUID? {
        guard log.keys.hasMasterKey else { return nil }
        var found: UUID?
        try log.forEachEvent(
            through: log.head(),
            where: { $0.type == AccountAdded.type.rawValue },
            { event in
                if case .read(let recorded) = log.content(of: event),
                    let added = recorded.event.data as? AccountAdded, added.profile.name == name
                {
                    found = recorded.subject
                }
                return found == nil
            }
        )
        return found
    }

    private func find(
        _ text: String,
        _ what: String,
        addedBy type: EventType,
        _ id: (Frame) -> UUID
    ) throws -> UUID {
        guard let identifier = Identifier(text) else {
            let least = Identifier.shortest
            throw Failure(.usage, "name the \(what) by its id, or by the first \(least) or more characters of it")
        }
        guard let found = try find(identifier, what, type, id) else {
            throw Failure(.notFound, "there is no such \(what) in this journal")
        }
        return found
    }

    /// Searches the headers, which needs neither a key nor an up-to-date index.
    private func find(
        _ identifier: Identifier,
        _ what: String,
        _ type: EventType,
        _ id: (Frame) -> UUID
    ) throws -> UUID? {
        var found: [UUID] = []
        try log.forEachFrame(through: log.head()) { frame in
            guard frame.type == type.rawValue else { return true }
            let candidate = id(frame)
            if identifier.matches(candidate), !found.contains(candidate) { found.append(candidate) }
            return found.count < (identifier.isWhole ? 1 : OpenJournal.namedCandidates)
        }
        guard found.count < 2 else {
            let names = found.map(\.text).joined(separator: ", ")
            throw Failure(.usage, "more than one \(what) has an id that begins like that: \(names)")
        }
        return found.first
    }
}
