internal import FoundationEssentials
internal import HealthModel
internal import MedicalRecords

extension Journal {
    /// Throws if a field names a time zone that does not exist, or an entry that is not in the record or not of a kind
    /// that the field allows.
    ///
    /// References that the entry had before are not checked again: what they name may have been retracted since.
    /// `added` contains the kinds of entries that are added to the record in the same operation.
    func requireReferences(
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
                    try records.erasure(ofEntry: reference.id) == nil
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
    func requireZones(of profile: RecordProfile) throws(ModelError) {
        for (path, zone) in profile.values.zones(in: profile.fields) {
            try SystemZones.requireZone(zone, field: path)
        }
    }

    /// Returns the id that an entry's content determines, if it does.
    ///
    /// The id of an erased entry cannot be used again: another one follows from it, on each device the same.
    func derivedID(of content: EntryContent) throws -> UUID? {
        guard var id = content.kind.derivedID(content) else { return nil }
        while try records.erasure(ofEntry: id) != nil { id = UUID(nameBased: id, "after an erasure") }
        return id
    }

    /// Returns the id for a new entry: the one that its content determines, or the given one.
    func newID(of content: EntryContent, given id: UUID?, path: String = "id") throws -> UUID? {
        guard let derived = try derivedID(of: content) else { return id }
        if let id, id != derived {
            throw ModelError(.invalid, field: path, "must be \(derived.text), which follows from the planned dose")
        }
        return derived
    }
}
