internal import FoundationEssentials
internal import HealthModel
internal import Interchange
internal import JournalCore
internal import MedicalRecords

/// Lets the references of imported resources lead to the entries that were imported with them.
struct FHIRReferences {
    let journal: Journal
    let admission: Admission
    let record: UUID
    let position: UInt64
    /// Whether the caller may see all entries of a kind.
    let sees: (Kind) -> Bool
    /// Returns the address of a resource with a type and an id.
    let address: (String, UUID) -> String

    /// Returns the resources with their references replaced; one that leads to nothing here stays as it came.
    ///
    /// The same relative reference of two sources leads to two entries.
    func led(_ served: [(entry: EntryState, resource: JSONValue)]) throws -> [JSONValue] {
        let own = address("Patient", record)
        var wanted: [UUID: [(from: UUID, reference: String)]] = [:]
        if served.contains(where: { $0.entry.isImported }) {
            let namespace = try journal.imports.fhirOptions(isTrial: true).namespaces.entries(record)
            for (entry, resource) in served where entry.isImported {
                for reference in RecordFHIRWriter.references(in: resource) where reference != own {
                    let target = RecordFHIRWriter.entry(referredToBy: reference, from: entry.content, namespace)
                    wanted[target, default: []].append((entry.id, reference))
                }
            }
        }
        var targets: [UUID: [String: String]] = [:]
        var found = try journal.contents(admission).entries(Array(wanted.keys), asOf: position)
        // A resource may be an entry of another kind since.
        for entry in found where entry.isRetracted && entry.record == record {
            for successor in RecordFHIRWriter.successors(of: entry.id) { wanted[successor] = wanted[entry.id] }
        }
        let successors = Set(wanted.keys).subtracting(found.map(\.id))
        if found.contains(where: \.isRetracted) {
            found += try journal.contents(admission).entries(Array(successors), asOf: position)
        }
        for entry in found where entry.record == record && !entry.isRetracted {
            guard sees(entry.kind), let type = FHIRTypes.type(of: entry.content) else { continue }
            let target = RecordFHIRWriter.isPatient(entry.content) ? own : address(type, entry.id)
            for (from, reference) in wanted[entry.id] ?? [] { targets[from, default: [:]][reference] = target }
        }
        return served.map { RecordFHIRWriter.leading($0.resource, to: targets[$0.entry.id] ?? [:]) }
    }
}

extension EntryState {
    /// Whether the text of a resource is kept with the entry.
    fileprivate var isImported: Bool { FHIRDocument.keepsText(of: content) }
}
