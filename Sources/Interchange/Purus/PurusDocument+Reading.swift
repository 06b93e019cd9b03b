import FoundationEssentials
package import HealthModel

extension PurusDocument {
    /// Reads a record in any of the shapes; fails if any part of it is invalid.
    package static func read(_ bytes: [UInt8], options: PurusOptions) throws(ModelError) -> ImportedRecord {
        let source = try PurusSource(try JSONReader.read(bytes))
        try PurusEpochEvidence.check(source, options)
        let dates = PurusDates(options: options)

        let (subject, isGuess) = try subject(of: source.members)
        var (members, recordName) = split(source.members)
        // Each subject's record also contains the other subject's fields, mostly empty; only those with a value are
        // kept.
        let foreign = subject == .animal ? PurusKeys.humanNames : PurusKeys.animalNames
        members.removeAll { foreign.contains($0.name) && $0.value.isBlank }
        let reader = try PurusFormReader(
            members,
            keys: .profile(of: subject),
            dates: dates,
            at: DocumentPath(),
            ignored: idNames
        )
        var profile = RecordProfile(subject: subject, values: reader.form.values, extra: reader.extra)
        if isGuess { profile.inferred = ["subject"] }
        do throws(ModelError) { try profile.validate(now: options.now) } catch { throw reader.located(error) }

        let id = try recordID(members, recordName, &profile, dates)
        var entries = try PurusEntryReader(record: id, dates: dates)
        for entry in source.entries { try entries.read(entry) }
        return ImportedRecord(
            id: id,
            profile: profile,
            entries: entries.entries,
            shape: source.shape,
            unrepresented: reader.unrepresented.map { DocumentPath().appending($0).text } + entries.unrepresented
        )
    }

    /// Whether the record is of an animal; without `isPet`, this is inferred from the presence of animal fields.
    private static func subject(of members: [JSONValue.Member]) throws(ModelError) -> (Subject, isGuess: Bool) {
        if let said = members.first(where: { $0.name == "isPet" })?.value, said != .null {
            switch said {
            case .bool(true), .number("1"): return (.animal, false)
            case .bool(false), .number("0"): return (.human, false)
            default: throw ModelError(.invalid, field: "isPet", "must be true or false, not \(said.typeName)")
            }
        }
        let filledIn = Set(members.filter { !$0.value.isBlank }.map(\.name))
        let isAnimal =
            filledIn.isDisjoint(with: PurusKeys.humanNames) && !filledIn.isDisjoint(with: PurusKeys.animalNames)
        return (isAnimal ? .animal : .human, true)
    }

    /// Separates CloudKit's `recordName` from the other members, if there is no `uuid`.
    private static func split(_ members: [JSONValue.Member]) -> ([JSONValue.Member], recordName: String?) {
        guard case .string(let name)? = members.first(where: { $0.name == "recordName" })?.value, !name.isEmpty,
            !members.contains(where: { $0.name == "uuid" && !$0.value.isBlank })
        else { return (members, nil) }
        return (members.filter { $0.name != "recordName" }, name)
    }

    private static func recordID(
        _ members: [JSONValue.Member],
        _ recordName: String?,
        _ profile: inout RecordProfile,
        _ dates: PurusDates
    ) throws(ModelError) -> UUID {
        let texts = try PurusEntryReader.idTexts(members, at: DocumentPath())
        if let text = texts.first?.text ?? recordName {
            let id = PurusIds.id(ofText: text, within: dates.options.namespaces.records, "record")
            let own = texts.isEmpty ? [(name: "uuid", text: text)] : texts
            profile.extra += PurusEntryReader.kept(own, id)
            return id
        }
        let birthdate = members.first { $0.name == "personalBirthdate" }.map { dates.normalised($0.value) }
        guard let id = PurusIds.record(profile, birthdate: birthdate, within: dates.options.namespaces.records)
        else {
            throw ModelError(.invalid, field: "uuid", "is missing, and there is no name to identify the record by")
        }
        return id
    }
}

/// Reads and writes documents of Purus Health.
package enum PurusDocument {
    /// The names under which a document gives an id to a record or an entry.
    static let idNames: Set<String> = ["uuid", "id"]
}
