package import FoundationEssentials

/// A copy of what an entry says, or a part of it, that is stored elsewhere in the journal.
///
/// It names the copy and contains nothing of it.
package struct EntryCopy: Hashable, Sendable {
    package var what: What
    /// The id of the entry or of the triage; nil if the account that erased the entry may not see it.
    package var id: UUID?
    package var fate: Fate

    package init(_ what: What, id: UUID?, _ fate: Fate) {
        (self.what, self.id, self.fate) = (what, id, fate)
    }

    /// What contains the copy; the raw values are stored.
    package enum What: String, EventChoice, Sendable {
        /// The original or the moved entry, in the other record.
        case moved
        /// A finding or an answer about medication, which names what it is about.
        case finding
        /// A triage that was assessed with it, or in which it was measured.
        case triage
        /// An imported resource that refers to it or to which it refers; it may repeat it.
        case resource
        /// Another entry of the same record that refers to it, such as a dose.
        case reference
        /// Another entry of the same record with the same content.
        case repetition

        package var name: String { rawValue }
    }

    /// What becomes of a copy; the raw values are stored.
    package enum Fate: String, EventChoice, Sendable {
        case erased
        /// It is an entry of its own, which can be erased alone.
        case ownEntry
        /// It is sealed under the key of the record, and goes only with the record.
        case recordKey
        /// The account that erased the entry may not erase it.
        case notPermitted
        /// A hold forbids erasing anything of the other record.
        case held

        package var name: String { rawValue }
    }
}

extension EntryCopy {
    /// What it is, in words.
    package var label: String {
        switch what {
        case .moved: "an entry with the same content in another record, between which it was moved"
        case .finding: "an interaction check that names it"
        case .triage: "a triage that used or measured it"
        case .resource: "an imported resource that is connected with it and may repeat it"
        case .reference: "an entry that refers to it and may name it"
        case .repetition: "an entry with the same content"
        }
    }

    /// Why it stays, in words; nil if it is erased.
    package var reason: String? {
        switch fate {
        case .erased: nil
        case .ownEntry: "it is an entry of its own: erase it too if it must go"
        case .recordKey: "it is sealed under the key of the record and goes only with the record"
        case .notPermitted: "you may not erase it: an owner of that record can"
        case .held: "a hold forbids erasing anything of that record"
        }
    }
}

extension EntryCopy: EventValue, EventListElement {
    private static let what = Field(1, "what", "Copy", What.fieldType, isRequired: true)
    private static let id = Field(2, "id", "Id", .id)
    private static let fate = Field(3, "fate", "What becomes of it", Fate.fieldType, isRequired: true)

    package static var fieldType: FieldType { .group([what, id, fate]) }

    package var fieldValue: FieldValue? {
        var values = FieldValues()
        values[Self.what] = what.fieldValue
        values[Self.id] = id.fieldValue
        values[Self.fate] = fate.fieldValue
        return .group(values)
    }

    package init?(fieldValue: FieldValue?) {
        guard case .group(let values)? = fieldValue, let what = What(fieldValue: values[Self.what]),
            let fate = Fate(fieldValue: values[Self.fate])
        else { return nil }
        self.init(what, id: UUID?(fieldValue: values[Self.id]) ?? nil, fate)
    }
}
