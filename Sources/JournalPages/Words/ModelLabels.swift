internal import HealthModel

/// The labels of the model that the pages show, which are in English there.
///
/// A language file translates each as `label.<English text> = …`.
package enum ModelLabels {
    /// All labels, sorted.
    package static let all: [String] = {
        var labels = Set(Kind.all.flatMap { [$0.label, $0.plural] })
        labels.formUnion(EventType.allCases.map(\.label))
        labels.formUnion(TokenScope.all.map(\.definition.label))
        labels.formUnion(EntryContent.changeLabels)
        let fields =
            Kind.all.flatMap(\.fields) + Subject.allCases.flatMap(RecordProfile.fields(for:)) + AccountDetails.fields
            + AccountPreferences.fields + TriageFindings.fields
        for field in fields { insert(field, into: &labels) }
        labels.formUnion(SpeciesCode.allCases.map { TriageWords.plain($0.rawValue) })
        labels.formUnion(TriageItem.allCases.map(\.label))
        labels.formUnion(TriageFindings.fields.flatMap { codes($0.type) }.map(TriageWords.plain))
        return labels.sorted()
    }()

    /// Inserts the label of a field, and of each field in it.
    private static func insert(_ field: Field, into labels: inout Set<String>) {
        labels.insert(field.label)
        for inner in inner(field.type) { insert(inner, into: &labels) }
    }

    private static func codes(_ type: FieldType) -> [String] {
        switch type {
        case .choice(let codes): codes
        case .group(let fields): fields.flatMap { codes($0.type) }
        default: []
        }
    }

    private static func inner(_ type: FieldType) -> [Field] {
        switch type {
        case .group(let fields): fields
        case .list(let item, _): inner(item)
        default: []
        }
    }
}
