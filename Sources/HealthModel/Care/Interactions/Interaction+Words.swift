extension Interaction {
    /// What made an entry of the kind `interaction`; the raw values are stored.
    package enum Source: String, CaseIterable, Sendable {
        /// Another tool.
        case model = "medgemma_ai"
        /// A person asked.
        case manualEntry = "manual_entry"
        /// The journal, when a plan changed or a day passed.
        case scheduledCheck = "scheduled_check"
    }

    /// How a finding was settled; the raw values are stored.
    package enum Resolution: String, CaseIterable, Sendable {
        /// It is known and accepted.
        case accepted
        /// The medication was changed.
        case changed
        case notRelevant
        case askedProfessional
    }
}

extension EntryContent {
    /// Settles a finding.
    package mutating func resolve(as resolution: Interaction.Resolution) {
        body[Interaction.resolved] = .flag(true)
        body[Interaction.resolution] = .text(resolution.rawValue)
    }

    /// Makes a finding open again.
    package mutating func reopen() {
        body[Interaction.resolved] = nil
        body[Interaction.resolution] = nil
    }

    /// Whether the entry is a finding, and not the answer to a question or the note that nothing was found.
    package var isFinding: Bool {
        kind == Interaction.kind && body.text(Interaction.source) != Interaction.Source.manualEntry.rawValue
            && body.flag(Interaction.found) != false
    }
}
