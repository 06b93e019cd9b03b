package import HealthModel
import FoundationEssentials

extension NativeDocument {
    /// Reads one record for an import.
    ///
    /// The times, authors and positions of its entries are ignored, because the document may be from another journal.
    package static func read(_ bytes: [UInt8], now: Instant) throws(ModelError) -> ImportedRecord {
        try record(try JSONReader.read(bytes), at: DocumentPath(), now: now)
    }

    /// Reads one record, or an array of records.
    package static func readAll(_ bytes: [UInt8], now: Instant) throws(ModelError) -> [ImportedRecord] {
        let document = try JSONReader.read(bytes)
        guard case .array(let items) = document else { return [try record(document, at: DocumentPath(), now: now)] }
        if items.isEmpty { throw ModelError(.invalid, "the document contains no record") }
        var records: [ImportedRecord] = []
        for (index, item) in items.enumerated() {
            records.append(try record(item, at: DocumentPath().appending(index), now: now))
        }
        return records
    }

    private static func record(
        _ document: JSONValue,
        at path: DocumentPath,
        now: Instant
    ) throws(ModelError) -> ImportedRecord {
        let root = try NativeObject(document, at: path)
        guard let named = document["format"], named == .string(format) else {
            throw ModelError(.invalid, field: path.appending("format").field, "must be \(format)")
        }
        let id = try root.id("id")
        let subject: Subject
        do { subject = try Subject(named: try root.text("subject") ?? "") } catch {
            throw error.at(path.appending("subject"))
        }
        var profile = RecordProfile(subject: subject)
        if let value = document["profile"] {
            let reader = try NativeObject(value, at: path.appending("profile"))
            profile.values = try reader.values(of: profile.fields)
            profile.inferred = try reader.inferred()
            profile.extra = try reader.extra(known: Set(profile.fields.map(\.name)).union(["inferred", "extra"]))
            do { try profile.validate(now: now) } catch { throw reader.located(error) }
        }
        var entries = NativeEntries(now: now)
        if let value = document["entries"] { try entries.read(value, at: path.appending("entries")) }
        return ImportedRecord(
            id: id,
            profile: profile,
            entries: entries.entries,
            shape: .native,
            unrepresented: entries.unrepresented,
            exported: try document["asOf"]
                .map { value throws(ModelError) in
                    let moment = try NativeObject(value, at: path.appending("asOf"))
                    return ExportMoment(
                        position: try moment.number("position"),
                        recordedAt: try moment.instant("recordedAt")
                    )
                }
        )
    }
}
