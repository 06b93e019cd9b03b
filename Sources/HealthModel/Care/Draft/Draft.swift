package import FoundationEssentials

/// An entry that was prefilled from a sentence, as a person says it.
///
/// It is not stored: the person completes and saves the form that it prefills.
package struct Draft: Hashable, Sendable {
    /// The prefilled entry, which may lack required fields; nil if the sentence was not understood.
    package var content: EntryContent?
    /// The parts that were understood, in the order of the sentence.
    package var understood: [Understood]
    /// The words that were not understood, without those that carry no meaning here, such as articles.
    package var rest: [String]
    /// The name of a medication or a supplement whose dose the sentence reports, but which the record lacks.
    package var missingPlan: String?
    /// When a dose was taken or skipped, by the person's clock; nil if the sentence does not say.
    package var wall: WallMoment?

    /// A part of the sentence, and the value that it gives to a field.
    package struct Understood: Hashable, Sendable {
        package var heard: String
        package var field: String
        package var value: String

        package init(heard: String, field: String, value: String) {
            self.heard = heard
            self.field = field
            self.value = value
        }
    }

    package init(
        content: EntryContent? = nil,
        understood: [Understood] = [],
        rest: [String] = [],
        missingPlan: String? = nil,
        wall: WallMoment? = nil
    ) {
        self.content = content
        self.understood = understood
        self.rest = rest
        self.missingPlan = missingPlan
        self.wall = wall
    }

    /// The maximum length of a sentence, in UTF-8 bytes.
    package static let maximumText = Limits.line

    /// How much of a sentence was understood.
    package enum Outcome: String, CaseIterable, Hashable, Sendable {
        case understood
        /// Some words were not.
        case partly
        case nothing
    }

    package var outcome: Outcome {
        content == nil ? .nothing : rest.isEmpty && missingPlan == nil ? .understood : .partly
    }
}

/// What a record and the lists of names know, for reading a sentence.
package struct DraftNames: Sendable {
    /// The medication and the supplements that are not stopped, most recent first.
    package var plans: [DraftPlan]
    package var catalogue: NameCatalogue

    package init(plans: [DraftPlan], catalogue: NameCatalogue = .bundled) {
        self.plans = plans
        self.catalogue = catalogue
    }
}

/// A medication or a supplement to which a sentence may refer.
package struct DraftPlan: Hashable, Sendable {
    package var id: UUID
    package let name: String
    /// The name as it is compared, which is done for each phrase of a sentence.
    let foldedName: FoldedName
    /// The unit in which doses are counted, such as a tablet.
    package var unit: String?
    package var substances: [FieldValues]

    package init(id: UUID, name: String, unit: String? = nil, substances: [FieldValues] = []) {
        self.id = id
        self.name = name
        foldedName = FoldedName(name)
        self.unit = unit
        self.substances = substances
    }

    /// Creates the plan of an entry; nil if it has no name.
    package init?(id: UUID, _ content: EntryContent) {
        guard let name = content.body.text(Drug.name) ?? content.body.text(Drug.rawText) else { return nil }
        self.init(
            id: id,
            name: name,
            unit: content.body.text(PlanFields.unit),
            substances: content.body.groups(PlanFields.substances)
        )
    }
}

/// The time at which a sentence is said, and the clock by which it names times.
package struct DraftMoment: Sendable {
    package var instant: Instant
    package var clock: PersonClock

    package init(_ instant: Instant, _ clock: PersonClock) {
        self.instant = instant
        self.clock = clock
    }

    var wall: WallMoment { clock.wall(at: instant) }
    var day: Day { clock.day(at: instant) }

    func instant(of day: Day, _ time: WallTime) -> Instant {
        clock.moment(of: WallMoment(day: day, time: time)).instant
    }
}

extension Draft {
    /// Reads a sentence such as `took two ibuprofen 400 at half past eight`.
    ///
    /// `newID` returns the ids of new rules and times of a plan. Throws an error if the text has no words.
    package static func read(
        _ text: String,
        names: DraftNames,
        now: DraftMoment,
        words: DraftWords = .english,
        newID: () -> UUID = { UUID() }
    ) throws(ModelError) -> Draft {
        try TextCheck.check(text, field: "text", maximum: maximumText)
        var reader = DraftReader(text, names, now, words)
        guard !reader.words.isEmpty else { throw ModelError(.invalid, field: "text", "is empty: say what happened") }
        let content: EntryContent? =
            switch reader.topic {
            case .weight: reader.weight()
            case .meal: reader.meal()
            case .dose: reader.dose()
            case .plan: reader.plan(newID)
            case nil: nil
            }
        var draft = reader.draft
        draft.content = content
        return draft
    }
}
