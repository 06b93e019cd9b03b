internal import HealthModel

/// What a document would bring, before it is taken in.
package struct ImportPage: WebPage {
    package static let template = "import"

    package let records: [Item]
    package let isNothingNew: Bool
    /// What was uploaded, for taking it in.
    package let fields: [Hidden]
    package let key: String

    package struct Item: Sendable {
        let name: String
        let told: String
        let counts: String
        let unrepresented: String?

        package init(
            name: String,
            isNew: Bool,
            isChanged: Bool,
            added: Int,
            corrected: Int,
            unchanged: Int,
            unrepresented: [String],
            _ reader: Reader
        ) {
            self.name = name
            let words = reader.words
            told = words[isNew ? "importNew" : isChanged ? "importChanged" : "importKnown"]
            counts =
                words[
                    "importCounts",
                    reader.number(added),
                    reader.number(corrected),
                    reader.number(unchanged)
                ]
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

    package init(_ records: [Item], isNothingNew: Bool, fields: [Hidden], key: String) {
        self.records = records
        self.isNothingNew = isNothingNew
        self.fields = fields
        self.key = key
    }
}
