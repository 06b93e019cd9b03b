package import HealthModel

/// The page of the documents that were imported into a record; each import can be undone as a whole.
package struct ImportsPage: WebPage {
    package static let template = Template("imports")

    package let head: RecordHead
    package let imports: [Item]
    package let isEmpty: Bool

    package struct Item: Sendable {
        package let address: String
        package let time: String
        package let counts: String
        package let isComplete: Bool
        package let isUndone: Bool

        /// Creates the item of an import that ended at a position.
        package init(
            position: UInt64,
            recordedAt: Instant,
            added: Int,
            corrected: Int,
            retracted: Int,
            isComplete: Bool,
            isUndone: Bool,
            _ head: RecordHead,
            _ reader: Reader
        ) {
            address = "\(head.address)/imports/\(position)/undo"
            (self.isComplete, self.isUndone) = (isComplete, isUndone)
            time = reader.moment(recordedAt)
            counts =
                reader.words[
                    "importsCounts",
                    reader.number(added),
                    reader.number(corrected),
                    reader.number(retracted)
                ]
        }
    }

    package init(_ head: RecordHead, _ imports: [Item]) {
        (self.head, self.imports) = (head, imports)
        isEmpty = imports.isEmpty
    }
}
