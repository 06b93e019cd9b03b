internal import EventLog
package import FoundationEssentials
package import HealthModel
package import Interchange
package import JournalCore
internal import JournalEvents
internal import MedicalRecords

extension Journal.InteractionChecks {
    /// Checks what a person takes for interactions, and adds an entry for each new finding.
    ///
    /// With a moment, the check of then is repeated with the rules of then, and nothing is added. Nor is it if
    /// `addsFindings` is false.
    package func check(
        _ record: UUID,
        asOf moment: AsOf? = nil,
        addsFindings: Bool = true,
        _ caller: Caller
    ) async throws(JournalError) -> CheckDocument {
        try await journal.retrying {
            let isPast = moment != nil
            let reading = Action.reading(Self.checkKinds, .read, ofPast: isPast)
            let admission = try await journal.access.admit(caller, to: reading, on: record)
            let adds = addsFindings && !isPast
            if adds {
                _ = try await journal.access.admit(caller, to: .contribute(Interaction.kind, .adding), on: record)
            }
            let position = try journal.log.position(asOf: moment)
            guard try journal.medicalRecords.header(of: record, asOf: position) != nil else {
                throw JournalError(.notFound, "the record did not exist at that time")
            }
            let now = try isPast ? journal.records.stamp(at: position).recordedAt : journal.now
            let state = try checkState(of: record, asOf: position, now: now)
            let result = try state.check(ruleIndex(asOf: position))
            let added = adds ? try await add(result.findings, to: record, at: now, caller) : []
            try await journal.access.trace(caller, admission, Shown(of: state, asOf: isPast ? position : nil))
            return CheckDocument(record: record, position: position, checkedAt: now, result, added: added)
        }
    }

    /// Answers whether a person may take what a question names, and keeps the question with its answer.
    package func ask(
        _ record: UUID,
        _ text: String,
        _ caller: Caller
    ) async throws(JournalError) -> (write: WriteResult, answer: CheckDocument) {
        var answer: CheckDocument?
        let write = try await journal.once(caller) {
            let admission = try await journal.access.admit(
                caller,
                to: .read(Self.checkKinds, .read),
                on: record
            )
            guard !FoldedName(text).isEmpty else {
                throw JournalError(.invalid, field: Interaction.queryText.name, "must name what is to be taken")
            }
            let now = journal.now
            var state = try checkState(of: record, asOf: journal.log.head(), now: now)
            let index = try ruleIndex(asOf: state.position)
            let asked = index.parts(ofQuestion: text)
            let names = asked.known
            state.input.plans += names.map { name in
                let id = UUID(nameBased: state.namespace, "asked \(name.text)")
                return CheckedPlan(id: id, name: name.text, plan: Plan(id: id, rules: []), question: .asked)
            }
            // A question may name a food as well.
            let meal = UUID(nameBased: state.namespace, "asked")
            state.input.meals.append(CheckedMeal(id: meal, at: now, foods: names.map(\.text), isAsked: true))
            var result = state.check(index)
            result.findings.removeAll { finding in
                !finding.parties.contains { $0.entry == nil && $0.role != .allergy }
            }
            // Without rules no name is known, so that it is not the question that was not understood.
            if !result.ruleSets.isEmpty {
                let unknown = names.isEmpty && asked.rest.isEmpty ? [text] : asked.rest
                result.notChecked = unknown + result.notChecked.filter { !unknown.contains($0) }
            }
            if names.isEmpty { result.matched = 0 }
            let content = EntryContent(answering: text, result, at: now)
            let write = try await journal.entries.addEntry(content, to: record, caller)
            try await journal.access.trace(caller, admission, Shown(of: state))
            answer = CheckDocument(
                record: record,
                position: write.position,
                checkedAt: now,
                result,
                added: write.entry.map { [$0] } ?? [],
                query: text,
                understood: names.map(\.text)
            )
            return write
        }
        if let answer { return (write, answer) }
        // The same request was answered before.
        return (write, try await repeated(write, in: record, caller))
    }

    /// Returns the answer to a question that is kept as an entry.
    private func repeated(
        _ write: WriteResult,
        in record: UUID,
        _ caller: Caller
    ) async throws(JournalError) -> CheckDocument {
        guard let id = write.entry else { throw JournalError(.failed, "the answer cannot be found") }
        let entry = try await journal.entries.entry(id, of: Interaction.kind, in: record, caller)
        let body = entry.content.body
        var result = CheckResult(
            findings: [],
            notChecked: [],
            notInUse: [],
            ruleSets: body.text(Interaction.ruleSet).map { [$0] } ?? [],
            matched: 0
        )
        if !result.ruleSets.isEmpty { result.notChecked = body.notChecked }
        var answer = CheckDocument(
            record: record,
            position: write.position,
            checkedAt: entry.added.recordedAt,
            result,
            added: [id],
            query: body.text(Interaction.queryText)
        )
        if body.flag(Interaction.found) == true {
            answer.result = .found
            answer.findings = [
                FindingDocument(id: id, entry.content, state: .answered, foundAt: entry.added.recordedAt)
            ]
        }
        return answer
    }

    /// Checks all records, as the service does once a day; returns how many findings were added.
    ///
    /// A record whose check fails does not keep the others from being checked; the first error is thrown in the end.
    package func scheduledCheck() async throws(JournalError) -> Int {
        let all = try await journal.retrying { try journal.medicalRecords.records(asOf: journal.log.head()) }
        var count = 0
        var failure: JournalError?
        for record in all {
            guard
                let owner = try await journal.retrying({
                    try journal.records.headerUnlessErased(record, asOf: journal.log.head())?.owners.first
                })
            else {
                continue
            }
            let caller = Caller(account: owner, name: "", kind: .person, source: .system)
            do {
                count += try await checkSilently(record, caller).count
            } catch {
                // A record that was erased meanwhile needs no check.
                let error = JournalError(error)
                if ![.notFound, .erased].contains(error.code) { failure = failure ?? error }
            }
        }
        if let failure { throw failure }
        return count
    }

    /// The kinds whose changes are followed by a check.
    ///
    /// Doses are among them, because more of a substance may be taken than all its plans together should contain.
    package static let rechecked: Set<Kind> = [Drug.kind, Supplement.kind, Allergy.kind, Dose.kind]

    /// Checks a record after one of its entries has changed, on behalf of the account that changed it.
    ///
    /// The change itself is durable already: an error of the check must not make it look refused, and the next check
    /// finds the same.
    func checkAfterChange(of kind: Kind?, in record: UUID, _ caller: Caller) async {
        guard journal.replica == nil, kind.map(Self.rechecked.contains) ?? true else { return }
        var caller = caller
        (caller.source, caller.request, caller.reason) = (.system, nil, "")
        _ = try? await checkSilently(record, caller)
    }

    /// Adds new findings of a record; does nothing if no rules are loaded.
    ///
    /// Nothing is shown to anyone, so that no read is recorded.
    private func checkSilently(_ record: UUID, _ caller: Caller) async throws(JournalError) -> [UUID] {
        try await journal.retrying {
            let index = try ruleIndex(asOf: journal.log.head())
            guard !index.isEmpty else { return [] }
            let now = journal.now
            let result = try checkState(of: record, asOf: journal.log.head(), now: now).check(index)
            return try await add(result.findings, to: record, at: now, caller)
        }
    }

    /// The maximum number of findings in one append.
    private static let findingsAtOnce = 100

    /// Adds an entry for each finding that has none, and corrects those that newer rules rate higher.
    private func add(
        _ findings: [InteractionFinding],
        to record: UUID,
        at now: Instant,
        _ caller: Caller
    ) async throws -> [UUID] {
        let head = try journal.log.head()
        var added: [UUID] = []
        var waiting = findings[...]
        while !waiting.isEmpty {
            let recordVersion = try journal.log.version(of: record)
            let isClosed = try journal.medicalRecords.header(of: record, asOf: head)?.isClosed ?? true
            if isClosed { return added }
            var change = try Change(besides: journal, caller)
            var new: [UUID] = []
            for finding in waiting.prefix(Self.findingsAtOnce) {
                let version = try journal.log.version(of: finding.id)
                let known = version == 0 ? nil : try journal.contents(for: .care).entry(finding.id, asOf: head)
                guard let command = command(finding, known, isNew: version == 0, at: now) else { continue }
                try change.add(
                    decide(command, known, now: now),
                    in: .entry(finding.id, of: record, Interaction.kind),
                    expecting: version == 0 ? .empty : .exact(version)
                )
                new.append(finding.id)
            }
            waiting = waiting.dropFirst(Self.findingsAtOnce)
            guard !change.isEmpty else { continue }
            change.expect(record, .exact(recordVersion))
            _ = try await change.commit()
            added += new
        }
        return added
    }

    private func command(
        _ finding: InteractionFinding,
        _ known: EntryState?,
        isNew: Bool,
        at now: Instant
    ) -> EntryCommand? {
        if isNew { return .add(finding.content(at: now)) }
        guard let known, !known.isRetracted,
            let severity = known.content.body.text(Interaction.severity).flatMap(InteractionSeverity.init),
            severity < finding.severity
        else { return nil }
        var content = known.content
        content.body.describe([finding])
        content.body[Interaction.ruleSet] = .text(finding.ruleSet)
        content.reopen()
        return .correct(content)
    }
}

extension FieldValues {
    private static let notCheckedPrefix = "Not checked: "

    fileprivate static func notCheckedLine(_ names: [String]) -> String {
        "\(notCheckedPrefix)\(names.joined(separator: ", "))."
    }

    /// What an answer that is kept as an entry says was not checked.
    fileprivate var notChecked: [String] {
        let lines = (text(Interaction.educationalInfo) ?? "").split(separator: "\n")
        guard let line = lines.first(where: { $0.hasPrefix(FieldValues.notCheckedPrefix) }) else { return [] }
        return line.dropFirst(FieldValues.notCheckedPrefix.count).dropLast().split(separator: ", ").map(String.init)
    }
}

extension EntryContent {
    /// Creates the entry that keeps a question with its answer.
    fileprivate init(answering text: String, _ result: CheckResult, at now: Instant) {
        self.init(kind: Interaction.kind, date: .instant(now))
        body[Interaction.queryText] = .text(text)
        body[Interaction.source] = .text(Interaction.Source.manualEntry.rawValue)
        body.describe(result.findings)
        switch result.outcome {
        case .found: body[Interaction.found] = .flag(true)
        case .noneFound: body[Interaction.found] = .flag(false)
        case .notChecked: break
        }
        var lines = [body.text(Interaction.educationalInfo)].compactMap(\.self)
        if !result.notChecked.isEmpty { lines.append(FieldValues.notCheckedLine(result.notChecked)) }
        lines.append(CheckDocument.disclaimer(hasRules: !result.ruleSets.isEmpty))
        body[Interaction.educationalInfo] = .text(lines.joined(separator: "\n").cut(to: Limits.paragraphs))
        if !result.ruleSets.isEmpty {
            body[Interaction.ruleSet] = .text(result.ruleSets.joined(separator: ", ").cut(to: Limits.line))
        }
        let entries = Set(result.findings.flatMap(\.entries)).sorted { $0.text < $1.text }.prefix(100)
        body[Interaction.entries] = .list(entries.map { .id($0) })
    }
}

extension Shown {
    /// Creates the description of what a check discloses: the names of everything that it looked at.
    init(of state: CheckState, asOf position: UInt64? = nil) {
        self.init(
            sections: Set(Journal.InteractionChecks.checkKinds.map(\.section)),
            entryCount: state.input.plans.count + state.input.allergies.count,
            asOf: position,
            version: state.position,
            entries: Journal.InteractionChecks.checkKinds.map(\.code).sorted().map { ShownEntries(kind: $0) }
        )
    }
}
