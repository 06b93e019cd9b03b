import ArgumentParser
import FoundationEssentials
import HealthJournal
import HealthModel

/// The list of what a name may mean, in a message.
private enum Listing {
    /// How many records or entries it has at most.
    static let longest = 10
}

/// The argument ENTRY of commands on an entry.
struct EntryArgument: ParsableArguments {
    @Argument(
        help: """
            The entry: its id, the first 8 or more characters of it, or its name. A name needs --record, unless there is \
            only one record.
            """
    )
    var entry: String

    @Option(
        name: .customLong("record"),
        help: "The record of an entry that is given by its name (default: the only record there is)."
    )
    var namedRecord: String?

    /// Returns the id of the entry; `areRetracted` tells which entries a name may mean.
    func id(in session: Session, areRetracted: Bool = false) async throws -> UUID {
        try await session.journal.entry(entry, of: namedRecord, areRetracted: areRetracted)
    }
}

extension JournalAccess {
    /// Returns the entry with an id, the unique beginning of an id, or a name.
    ///
    /// A name is that of an entry of `record`, which may be left out if the account sees only one record. To find it, the
    /// entries of the record are read, and the read is recorded. What only has a value, such as a weight, has no name.
    func entry(_ text: String, of record: String?, areRetracted: Bool) async throws -> UUID {
        var unknownID: JournalError?
        if UUID(uuidString: text) != nil || Journal.Records.isIDBeginning(text) {
            do {
                return try await entry(text)
            } catch let error as JournalError where error.code == .notFound && UUID(uuidString: text) == nil {
                // It may be a name.
                unknownID = error
            }
        }
        let record = try await self.record(record, ofNamed: "entry", unknownID)
        let entries = try await perform(.entries(of: record, nil, ReadMoment(), retracted: areRetracted))
            .filter { $0.isRetracted == areRetracted && $0.name != nil }
        switch NameChoice(text, among: entries.map { $0.name ?? "" }) {
        case .one(let index, _): return entries[index].id
        case .several(let indices):
            throw JournalError(
                .invalid,
                field: "entry",
                "is the name of several entries: \(indices.map { entries[$0] }.shown); give more of the name, or the id"
            )
        case .similar(let indices):
            let hint =
                indices.isEmpty
                ? "see: healthjournal entry list" : "did you mean \(indices.map { entries[$0] }.shown)?"
            throw JournalError(.notFound, field: "entry", "the record has no entry with that name or id; \(hint)")
        }
    }

    /// Returns the record that is named or, if none is, the only one.
    ///
    /// If there are several, throws `unknownID`, the error of a text that may be the beginning of an id, or one that lists
    /// the records.
    func record(_ name: String?, ofNamed what: String, _ unknownID: JournalError?) async throws -> UUID {
        if let name { return try await record(name) }
        let records = try await perform(.listRecords(asOf: nil))
        if let only = records.first, records.count == 1 { return only.id }
        if let unknownID { throw unknownID }
        let length = UUID.lengthOfBeginnings(records.map(\.id))
        let listed = records.prefix(Listing.longest)
            .map { record in
                let id = String(record.id.text.prefix(length))
                return Terminal.isInteractive ? "\(record.displayName) (\(id))" : id
            }
        throw JournalError(
            .invalid,
            field: what,
            Message(
                verbatim: "is no id; to give the name of the \(what), name its record as well, with --record: "
                    + listed.joined(separator: ", ") + (records.count > Listing.longest ? " or another one" : "")
            )
        )
    }
}

extension EntryState {
    /// What a person calls the entry; nil for a kind whose entries have no name.
    fileprivate var name: String? {
        planName ?? kind.field(named: "name").flatMap { content.body.text($0) }
    }
}

extension [EntryState] {
    /// The entries by ids that tell them apart, with their names and dates on a terminal: what a script prints is often
    /// kept in a log.
    fileprivate var shown: String {
        let length = UUID.lengthOfBeginnings(map(\.id))
        let shown = prefix(Listing.longest)
            .map { entry in
                let id = String(entry.id.text.prefix(length))
                guard Terminal.isInteractive else { return id }
                let words = [entry.kind.word, entry.name ?? "", entry.content.date?.description ?? ""]
                return "\(words.filter { !$0.isEmpty }.joined(separator: " ")) (\(id))"
            }
        return shown.joined(separator: ", ") + (count > Listing.longest ? " and \(count - Listing.longest) more" : "")
    }
}
