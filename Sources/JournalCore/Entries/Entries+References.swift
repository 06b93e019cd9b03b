internal import EventLog
package import FoundationEssentials
package import HealthModel
internal import MedicalRecords

extension Journal.Entries {
    /// Throws if a field names a time zone that does not exist, or an entry that is not in the record or not of a kind
    /// that the field allows.
    ///
    /// References that the entry had before are not checked again: what they name may have been retracted since.
    /// `added` contains the kinds of entries that are added to the record in the same operation.
    package func requireReferences(
        of content: EntryContent,
        besides before: EntryContent? = nil,
        added: [UUID: Kind] = [:],
        in record: UUID
    ) throws {
        for (path, zone) in content.body.zones(in: content.kind.fields) {
            try SystemZones.requireZone(zone, field: path)
        }
        let known = Set(before?.references.map(\.id) ?? [])
        for reference in content.references where !known.contains(reference.id) {
            let kind =
                if let kind = added[reference.id] {
                    kind as Kind?
                } else if let place = try place(ofEntry: reference.id), place.record == record,
                    try journal.medicalRecords.erasure(ofEntry: reference.id) == nil
                {
                    Kind.coded(place.kind)
                } else {
                    nil as Kind?
                }
            guard let kind, reference.kinds.contains(kind.name) else {
                throw ModelError(
                    .invalid,
                    field: reference.path,
                    "names no \(reference.kinds.joined(separator: " or ")) of this record"
                )
            }
        }
    }

    /// Throws if a profile names a time zone that does not exist.
    package func requireZones(of profile: RecordProfile) throws(ModelError) {
        for (path, zone) in profile.values.zones(in: profile.fields) {
            try SystemZones.requireZone(zone, field: path)
        }
    }

    /// Returns the id that an entry's content determines, if it does.
    ///
    /// The id of an erased entry cannot be used again: another one follows from it, on each device the same. An entry that
    /// exists under a later one of these ids was imported from a journal in which more were erased. Returns nil if all of
    /// the ids were used by erased entries.
    package func derivedID(of content: EntryContent, in record: UUID) throws -> UUID? {
        var free: UUID?
        for id in Self.derivedIDs(of: content) where try !isErased(entry: id, of: record) {
            if try journal.log.version(of: id) > 0 { return id }
            free = free ?? id
        }
        return free
    }

    /// Returns the ids that an entry with the content may have, each derived from the one before.
    package static func derivedIDs(of content: EntryContent) -> [UUID] {
        guard let first = content.kind.derivedID(content) else { return [] }
        var ids = [first]
        while ids.count < 8 { ids.append(UUID(nameBased: ids[ids.count - 1], "after an erasure")) }
        return ids
    }

    /// Returns the id for a new entry: the one that its content determines, or the given one.
    ///
    /// Throws `invalid` if the content does not lead to the given id, and `conflict` if it leads to an existing entry.
    package func newID(of content: EntryContent, in record: UUID, given id: UUID?, path: String = "id") throws -> UUID?
    {
        guard let derived = try derivedID(of: content, in: record) else { return id }
        guard let id, id != derived else { return derived }
        guard Self.derivedIDs(of: content).contains(id), try !isErased(entry: id, of: record) else {
            throw ModelError(.invalid, field: path, "must be \(derived.text), which follows from the planned dose")
        }
        if try journal.log.version(of: derived) > 0 {
            throw ModelError(.conflict, field: path, "the planned dose is entry \(derived.text) already")
        }
        return id
    }

    /// Reports whether an entry of a record was erased, even if the log was restored from a backup that does not contain the entry.
    package func isErased(entry: UUID, of record: UUID) throws -> Bool {
        if let erased = try journal.medicalRecords.erasure(ofEntry: entry) { return erased.record == record }
        // An entry that exists may be about to be erased, and the erasure may fail.
        return try journal.log.version(of: entry) == 0 && journal.log.isErased(entry: entry, of: record)
    }
}
