internal import EventLog
internal import FoundationEssentials
internal import HealthModel
internal import Interchange
internal import JournalEvents
internal import MedicalRecords
internal import TriageQueue

/// A copy of an entry, with the entry that is erased together with it.
struct FoundCopy {
    let copy: EntryCopy
    /// The kind of the copy; nil for a triage, and for an entry that the caller may not see.
    var kind: Kind?
    /// The copy itself; nil if it is not erased.
    var erased: EntryState?
}

/// The copies of an entry that other events of the journal contain.
extension Journal.Erasure {
    /// Returns the copies of an entry, in the order in which the preview and the receipt name them.
    ///
    /// `contents` are the contents of its versions. The caller is one who may erase the entry.
    func copies(
        of state: EntryState,
        _ contents: [EntryContent],
        _ caller: Caller
    ) throws -> [FoundCopy] {
        let head = try journal.log.head()
        var found = try movedCopies(of: state, asOf: head, caller)
        found += try copiesInRecord(of: state, contents, asOf: head)
        found += try triageCopies(of: state, contents, asOf: head)
        return found
    }

    // MARK: - In other records

    /// Returns the entries from which and to which an entry was moved, directly or in several steps.
    private func movedCopies(of state: EntryState, asOf head: UInt64, _ caller: Caller) throws -> [FoundCopy] {
        var found: [FoundCopy] = []
        var seen: Set<UUID> = [state.id]
        var waiting = [state.id]
        while let entry = waiting.popLast() {
            for other in try moves(of: entry, asOf: head) where seen.insert(other).inserted {
                guard let copy = try journal.contents(for: .erasure).entry(other, asOf: head) else { continue }
                waiting.append(other)
                found.append(try movedCopy(copy, caller))
            }
        }
        return found
    }

    private func movedCopy(_ copy: EntryState, _ caller: Caller) throws -> FoundCopy {
        guard case .admitted = try journal.access.decideAdmission(caller, .read([copy.kind], .read), on: copy.record)
        else {
            return FoundCopy(copy: EntryCopy(.moved, id: nil, .notPermitted))
        }
        func found(_ fate: EntryCopy.Fate) -> FoundCopy {
            FoundCopy(copy: EntryCopy(.moved, id: copy.id, fate), kind: copy.kind, erased: fate == .erased ? copy : nil)
        }
        // An entry that counts in its record is not what remains of a move.
        guard copy.isRetracted else { return found(.ownEntry) }
        guard case .admitted = try journal.access.decideAdmission(caller, .erase, on: copy.record) else {
            return found(.notPermitted)
        }
        guard let header = try journal.medicalRecords.header(of: copy.record, asOf: journal.log.head()) else {
            return found(.notPermitted)
        }
        if let hold = header.hold, hold.forbidsErasure(on: journal.today) { return found(.held) }
        return found(try isSealedAlone(copy.id) ? .erased : .recordKey)
    }

    /// Returns the entries of other records to which an entry was moved, and the one from which it was moved.
    ///
    /// A move adds an entry and retracts the original with the next event of the same request.
    private func moves(of entry: UUID, asOf head: UInt64) throws -> [UUID] {
        var found: [UUID] = []
        for position in try journal.medicalRecords.history(ofEntry: entry, asOf: head) {
            let event = try journal.log.event(at: position)
            switch event.header.type {
            case EntryAdded.type.rawValue where position < head:
                if let origin = try moved(event, journal.log.event(at: position + 1)) { found.append(origin.from) }
            case EntryRetracted.type.rawValue where position > 1:
                if let move = try moved(journal.log.event(at: position - 1), event) { found.append(move.to) }
            default: break
            }
        }
        return found
    }

    /// Returns the entries of a move; nil if the two events are not those of one.
    private func moved(_ added: StoredEvent, _ retracted: StoredEvent) throws -> (from: UUID, to: UUID)? {
        let (to, from) = (added.header, retracted.header)
        guard to.type == EntryAdded.type.rawValue, from.type == EntryRetracted.type.rawValue,
            to.correlation == from.correlation, to.kind == from.kind, to.subject != from.subject
        else { return nil }
        // Other requests with the same correlation may have added and retracted other entries.
        let content = try journal.records.unlessErased { try journal.log.recorded(added).event.content }
        guard let content,
            try journal.contents(for: .erasure).entry(from.entry, asOf: retracted.position - 1)?.content == content
        else {
            return nil
        }
        return (from.entry, to.entry)
    }

    /// Reports whether all versions of an entry are sealed under the entry's own key.
    func isSealedAlone(_ entry: UUID) throws -> Bool {
        try journal.medicalRecords.history(ofEntry: entry, asOf: journal.log.head())
            .allSatisfy { try journal.log.event(at: $0).isSealedByEntry }
    }

    // MARK: - In the same record

    private func copiesInRecord(
        of state: EntryState,
        _ contents: [EntryContent],
        asOf head: UInt64
    ) throws -> [FoundCopy] {
        let others =
            try journal.contents(for: .erasure).record(state.record, asOf: head)?.entries.filter { $0.id != state.id }
            ?? []
        let names = CopiedNames(of: contents, besides: others)
        let resources = ConnectedResources(contents)
        return try others.compactMap { other in
            let refersToIt = other.content.references.contains { $0.id == state.id }
            let what: EntryCopy.What
            if other.kind == Interaction.kind, refersToIt || names.occur(in: other.content) {
                // What the journal found about the entry is erased with it; what only names it may be about more.
                guard refersToIt, try isSealedAlone(other.id) else {
                    let fate: EntryCopy.Fate = refersToIt ? .recordKey : .ownEntry
                    return FoundCopy(copy: EntryCopy(.finding, id: other.id, fate), kind: other.kind)
                }
                return FoundCopy(copy: EntryCopy(.finding, id: other.id, .erased), kind: other.kind, erased: other)
            } else if refersToIt {
                what = .reference
            } else if resources.contains(other.content) {
                what = .resource
            } else if contents.contains(where: { $0 == other.content || $0.hasFile(of: other.content) }) {
                what = .repetition
            } else {
                return nil
            }
            return FoundCopy(copy: EntryCopy(what, id: other.id, .ownEntry), kind: other.kind)
        }
    }

    // MARK: - In triages

    /// Returns the triages that contain values of an entry; they are sealed under the key of the record.
    private func triageCopies(
        of state: EntryState,
        _ contents: [EntryContent],
        asOf head: UInt64
    ) throws -> [FoundCopy] {
        try journal.triageQueue.triages(of: state.record, asOf: head)
            .compactMap { triage in
                let isCopied = try journal.log.recordedEvents(of: triage)
                    .contains { event in
                        (event.event.data as? TriageAssessed)?.assessment.copies(state, contents, event.stamp) ?? false
                    }
                guard isCopied else { return nil }
                return FoundCopy(copy: EntryCopy(.triage, id: triage, .recordKey))
            }
    }
}

/// The names of an entry, by which texts mention it.
private struct CopiedNames {
    private let names: Set<String>

    /// Names that another entry of the same kind has too are left out: they may mean that one.
    init(of contents: [EntryContent], besides others: [EntryState]) {
        guard let kind = contents.first?.kind, Plan.kinds.contains(kind) || kind == Allergy.kind else {
            names = []
            return
        }
        let shared = Set(others.filter { $0.kind == kind }.compactMap { CopiedNames.name(of: $0.content) })
        names = Set(contents.compactMap(CopiedNames.name)).subtracting(shared)
    }

    private static func name(of content: EntryContent) -> String? {
        guard let field = content.kind.fields.first(where: { $0.name == "name" }),
            let name = content.body.text(field).map({ FoldedName($0).text }), !name.isEmpty
        else { return nil }
        return name
    }

    /// Reports whether an interaction check names the entry.
    func occur(in content: EntryContent) -> Bool {
        if names.isEmpty { return false }
        let body = content.body
        var texts = body.texts(Interaction.medications) + body.texts(Interaction.supplements)
        for detail in body.groups(Interaction.details) {
            texts += [Interaction.Detail.medication1, Interaction.Detail.medication2].compactMap { detail.text($0) }
        }
        texts += [Interaction.queryText, Interaction.educationalInfo, Interaction.userNotes]
            .compactMap { body.text($0) }
        return texts.contains { text in
            let words = " \(FoldedName(text).text) "
            return names.contains { words.contains(" \($0) ") }
        }
    }
}

extension TriageAssessment {
    /// Reports whether the assessment contains values of an entry.
    fileprivate func copies(_ state: EntryState, _ contents: [EntryContent], _ assessed: Stamp) -> Bool {
        if let patient {
            if patient.history.contains(where: { $0.id == state.id }) { return true }
            // The facts state the newest weight, and not from which entry it is.
            if state.kind == Weight.kind, let weight = patient.weight, state.added.position <= recordPosition,
                contents.contains(where: { $0.kilograms == weight })
            {
                return true
            }
        }
        // Values that were measured in a triage became entries in the same append.
        guard state.added.recordedAt == assessed.recordedAt, state.added.actor == assessed.actor else { return false }
        return findings.vitals.entries(at: assessed.recordedAt)
            .contains { measured in contents.contains { $0.kind == measured.kind && $0.body == measured.body } }
    }
}

extension EntryContent {
    /// Whether two entries have the same file.
    fileprivate func hasFile(of other: EntryContent) -> Bool { fileDigest.map { $0 == other.fileDigest } ?? false }

    /// A weight in kilograms; nil for anything else.
    fileprivate var kilograms: ExactDecimal? {
        guard let value = body.decimal(Weight.value), let unit = body.text(Weight.unit) else { return nil }
        return Weight.converted(value, from: unit, to: "kg")
    }
}
