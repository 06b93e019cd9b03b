extension EntryContent {
    /// The names of the fields that every entry has in addition to those of its kind.
    package static let commonNames = ["date", "comment", "voiceEntryUsed"]

    /// Sets several fields, as `set(_:text:)`, in order.
    package mutating func set(_ assignments: [(name: String, value: String)]) throws(ModelError) {
        for (name, value) in assignments { try set(name, text: value) }
        body.removeEmptyItems(of: kind.fields)
    }

    /// Sets a field of the body, or a field that every entry has, from text; empty text clears it.
    ///
    /// A group in a list remains, empty, until `FieldValues.removeEmptyItems` is called.
    package mutating func set(_ name: String, text: String) throws(ModelError) {
        do throws(ModelError) {
            switch name {
            case "date": date = text.isEmpty ? nil : try OccurredDate(parsing: text)
            case "comment": comment = text.withUnixLines
            case "voiceEntryUsed": voiceEntryUsed = text.isEmpty ? false : try Bool(flag: text)
            default: try body.set(name, text: text, in: kind.fields, otherNames: Self.commonNames)
            }
        } catch {
            throw ModelError(error.code, field: error.field ?? name, error.text)
        }
        // A value that was set explicitly is not a guess.
        inferred.removeAll { $0 == name || $0 == PlanFields.substances.name && name.isNameOfSubstance }
    }
}

extension String {
    /// Whether this is the path of what identifies a substance of a plan, such as `substances.0.name`.
    fileprivate var isNameOfSubstance: Bool {
        hasPrefix(PlanFields.substances.name + ".") && [".name", ".code", ".system"].contains { hasSuffix($0) }
    }
}
