internal import EventLog
internal import FoundationEssentials
package import HealthModel
package import Interchange
package import JournalCore
internal import JournalEvents

extension Journal.InteractionChecks {
    /// Loads a rule set for the check of interactions; a newer one replaces an earlier one of its name.
    ///
    /// The file is kept sealed as an attachment of the journal, so that an old check can be repeated with the rules of
    /// then. All records are compared with the new rules at once.
    package func loadRules(
        _ bytes: [UInt8],
        _ caller: Caller
    ) async throws(JournalError) -> (write: WriteResult, rules: LoadedRulesDocument) {
        let set: RuleSet
        do {
            try await journal.access.admit(caller, to: .administer(.manage))
            set = try RuleSetDocument.read(bytes)
        } catch {
            throw JournalError(error)
        }
        let file = RulesLoaded(
            name: set.name,
            version: set.version,
            licence: set.licence,
            digest: BlobStore.digest(of: bytes),
            count: set.rules.count
        )
        let write = try await journal.once(caller) { try await journal.load(file, bytes, into: journal.rules, caller) }
        // The rules are loaded already: the daily check repeats what fails here.
        _ = try? await scheduledCheck()
        guard let document = try loadedRules().first(where: { $0.position == write.position }) else {
            throw JournalError(.failed, "the rules that were loaded cannot be found")
        }
        return (write, document)
    }

    /// Returns the rule sets that were loaded, in that order; they contain no personal data.
    package func loadedRules(asOf moment: AsOf? = nil) throws(JournalError) -> [LoadedRulesDocument] {
        do {
            let loaded = try journal.rules.loaded(in: journal.log, asOf: journal.log.position(asOf: moment))
            let current = LoadedFiles<RulesLoaded, RuleIndex>.current(loaded)
            return loaded.map { LoadedRulesDocument($0.file, $0.stamp, isCurrent: current.contains($0)) }
        } catch {
            throw JournalError(error)
        }
    }

    /// Returns the rules of a position, prepared for checks.
    func ruleIndex(asOf position: UInt64) throws -> RuleIndex {
        var index =
            try journal.rules.prepared(in: journal.log, asOf: position) { RuleIndex(try $0.map(RuleSetDocument.read)) }
            ?? RuleIndex([])
        // The names of other languages and of products; a check of the past uses those of today.
        index.names = try journal.nameCatalogue()
        return index
    }
}
