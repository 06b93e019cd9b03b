internal import FoundationEssentials
package import HealthModel

/// The page on which a symptom is logged with its severity, those first that the record has.
package struct SymptomPage: WebPage {
    package static let template = Template("symptoms")
    /// The number of entries from which the names are taken, and the maximum number of names.
    package static let entries = 200
    private static let names = 8

    package let head: RecordHead
    package let names: [String]
    package let levels: [Level]
    package let action: String
    /// The form with all fields.
    package let formAddress: String
    /// Identifies a form that is sent twice.
    package let key: String

    package struct Level: Sendable {
        package let value: String
        package let label: String
    }

    package init(_ head: RecordHead, _ former: [EntryState], key: String, _ reader: Reader) {
        self.head = head
        self.key = key
        let usual =
            reader.words[
                head.isAnimal ? "usualSymptomsOfAnimals" : "usualSymptoms"
            ]
            .split(separator: ",").map { String($0).withoutOuterSpaces }
        var seen: Set<FoldedName> = []
        let known = former.filter { $0.kind == Symptom.kind }.latestFirst
            .compactMap { $0.content.body.text(Symptom.name) }
        names = Array((known + usual).filter { seen.insert(FoldedName($0)).inserted }.prefix(SymptomPage.names))
        levels = (0...10)
            .map { level in
                Level(value: String(level), label: reader.words["severityOf", reader.number(level)])
            }
        action = "\(head.address)/symptoms"
        formAddress = "\(head.address)/entries/\(Symptom.kind.name)/new"
    }
}
