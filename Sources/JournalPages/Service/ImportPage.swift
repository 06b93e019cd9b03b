internal import HealthModel
package import Interchange

/// The page that previews what an import would change.
package struct ImportPage: WebPage {
    package static let template = Template("import")

    package let records: [Item]
    /// The page above this one, in its first line.
    let aboveAddress: String
    let aboveLabel: String
    /// Where the confirmation is sent, and where the reader goes without it.
    package let action: String
    package let cancel: String
    package let isNothingNew: Bool
    /// The uploaded document and the options, as hidden fields for the confirmation.
    package let fields: [Hidden]
    package let key: String
    /// Where the reader is asked again what the columns of the table contain; nil for other documents.
    package var again: String?

    package struct Item: Sendable {
        let name: String
        let description: String
        let counts: String
        let unrepresented: String?
        let contradictions: String?
        let kept: String?
        /// The resources that no kind of entry fits, by their type.
        let foreign: String?
        let retracted: String?
        let older: String?
        /// What of the document cannot be read, and where.
        let faults: Faults?
        /// What the reader may want to look at, each in one sentence.
        let notes: [String]
        let changes: [String]
        /// A notice how many more changes there are than are shown.
        let more: String?

        /// The parts of a document that are kept without their meaning, and those that are left out.
        struct Faults: Sendable {
            let heading: String
            let items: [String]
        }

        /// The maximum number of changes that are shown.
        package static let mostChanges = 200

        package init(
            name: String,
            isNew: Bool,
            isChanged: Bool,
            added: Int,
            corrected: Int,
            unchanged: Int,
            unrepresented: [String],
            contradictions: [String] = [],
            kept: Int = 0,
            retracted: Int = 0,
            older: Int = 0,
            foreign: [String: Int] = [:],
            unresolved: Int = 0,
            missingFiles: Int = 0,
            doubts: Int = 0,
            partialDates: Int = 0,
            possibleDuplicates: Int = 0,
            faults: [ImportFault] = [],
            changes: [String] = [],
            _ reader: Reader
        ) {
            self.name = name
            let words = reader.words
            description = words[isNew ? "importNew" : isChanged ? "importChanged" : "importKnown"]
            counts =
                words[
                    "importCounts",
                    reader.number(added),
                    reader.number(corrected),
                    reader.number(unchanged)
                ]
            self.retracted = retracted == 0 ? nil : words["importRetracted", reader.number(retracted)]
            self.older = older == 0 ? nil : words["importOlder", reader.number(older)]
            self.faults =
                faults.isEmpty
                ? nil
                : Faults(
                    heading: words.count(faults.count, "importFaults", reader.number(faults.count)),
                    items: faults.prefix(Item.mostChanges)
                        .map { fault in
                            let (text, place) = (fault.error.text, fault.error.field)
                            return words[
                                fault.isKept ? "importFaultKept" : "importFaultLeftOut",
                                place.map { words.sentence(text, at: $0) } ?? words.sentence(text)
                            ]
                        }
                )
            let notes = [
                ("importDuplicates", possibleDuplicates), ("importUnresolved", unresolved),
                ("importDoubts", doubts), ("importMissingFiles", missingFiles), ("importPartialDates", partialDates),
            ]
            self.notes = notes.filter { $0.1 > 0 }.map { words[$0.0, reader.number($0.1)] }
            let types = foreign.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
                .map { "\($0.key) \(reader.number($0.value))" }
            self.foreign = types.isEmpty ? nil : words["importForeign", types.joined(separator: ", ")]
            self.kept = kept == 0 ? nil : words["importKept", reader.number(kept)]
            self.changes = Array(changes.prefix(Item.mostChanges))
            more =
                changes.count > Item.mostChanges
                ? words["importMore", reader.number(changes.count - Item.mostChanges)] : nil
            self.contradictions =
                contradictions.isEmpty
                ? nil : words["importContradictions", contradictions.prefix(50).joined(separator: ", ")]
            self.unrepresented =
                unrepresented.isEmpty
                ? nil : words["importUnrepresented", unrepresented.prefix(50).joined(separator: ", ")]
        }
    }

    package struct Hidden: Sendable {
        package let name: String
        package let value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    package init(
        _ records: [Item],
        above: (address: String, label: String),
        action: String,
        cancel: String,
        isNothingNew: Bool,
        fields: [Hidden],
        key: String
    ) {
        self.records = records
        (aboveAddress, aboveLabel) = above
        (self.action, self.cancel) = (action, cancel)
        self.isNothingNew = isNothingNew
        self.fields = fields
        self.key = key
    }
}
