internal import FoundationEssentials
package import HealthModel
package import Interchange

/// The page of entries with two contradicting versions, with the forms that decide between them.
package struct VersionsPage: WebPage {
    package static let template = Template("versions")

    package let head: RecordHead
    package let items: [Item]
    package let isEmpty: Bool
    /// Identifies a form that is sent twice.
    package let key: String

    /// Two versions of one entry.
    package struct Item: Sendable {
        package let position: UInt64
        /// The page of the entry.
        package let address: String
        package let name: String
        /// Where the form is sent; nil if the reader may not decide.
        package let action: String?
        package let shown: String
        package let kept: String
        package let changes: [ShownChange]
        /// Whether one of the versions withdraws the entry.
        package let withdraws: Bool
        package let mayBeBoth: Bool
    }

    package init(
        _ head: RecordHead,
        _ divergences: [DivergenceDocument],
        mayChange: Set<Kind>,
        key: String,
        _ reader: Reader
    ) {
        self.head = head
        self.key = key
        items = divergences.map { Item(head, $0, mayChange: mayChange, reader) }
        isEmpty = items.isEmpty
    }
}

extension VersionsPage.Item {
    fileprivate init(_ head: RecordHead, _ divergence: DivergenceDocument, mayChange: Set<Kind>, _ reader: Reader) {
        let kind = divergence.kind
        position = divergence.position
        address = "\(head.address)/entries/\(kind.name)/\(divergence.entry.text)"
        name = reader.words.label(kind.label)
        action = mayChange.contains(kind) ? "\(head.address)/versions/\(divergence.position)" : nil
        shown = reader.origin(of: divergence.shown)
        kept = reader.origin(of: divergence.kept)
        let names = Set(divergence.fields.map { $0.split(separator: ".").first.map(String.init) ?? $0 })
        let different = divergence.kept.content.changes(from: divergence.shown.content)
            .filter { names.contains($0.path.split(separator: ".").first.map(String.init) ?? $0.path) }
        changes = ShownChange.all(different, of: kind.fields, hidden: [], reader)
        withdraws = divergence.kept.isRetracted
        mayBeBoth = (kind == Dose.kind || kind == Meal.kind) && !withdraws
    }
}

extension Reader {
    /// Who wrote a version, on which device and when.
    fileprivate func origin(of version: DivergenceDocument.Version) -> String {
        let who = version.authorName ?? String(version.author.text.prefix(8))
        guard let device = version.deviceName else { return words["versionBy", who, moment(version.madeAt)] }
        return words["versionByDevice", who, device, moment(version.madeAt)]
    }
}
