package import HealthModel

/// The page of the formats in which a record, or the entries of one kind, can be exported.
package struct ExportPage: WebPage {
    package static let template = Template("export")

    package let head: RecordHead
    package let heading: String
    package let hint: String
    package let formats: [Format]
    /// The address of the imports into the record; nil if the reader does not own it.
    package let importsAddress: String?
    /// The address of the export of all kinds; nil if this is it.
    package let wholeAddress: String?

    package struct Format: Sendable {
        package let address: String
        package let label: String
        package let description: String
    }

    /// `kind` is the only kind that is exported, or nil for all.
    package init(_ head: RecordHead, formats: [String], of kind: Kind?, _ words: Words) {
        self.head = head
        heading = kind.map { words["exportKinds", words.label($0.plural)] } ?? words["exportHeading"]
        hint = words[kind == nil ? "exportHint" : "exportKindsHint"]
        importsAddress = head.mayEdit && kind == nil ? "\(head.address)/imports" : nil
        wholeAddress = kind == nil ? nil : "\(head.address)/export\(head.moment.query)"
        let parameters = head.moment.parameters + (kind.map { [(name: "kinds", value: $0.name)] } ?? [])
        let others = parameters.map { "&\($0.name)=\($0.value)" }.joined()
        self.formats = formats.map { name in
            // A PDF takes a while to create; a page of its own shows the progress.
            let place = name == "pdf" ? "pdf" : "file"
            let label = kind != nil && name == "native" ? "kind" : name
            return Format(
                address: "\(head.address)/export/\(place)?as=\(name)\(others)",
                label: words["export.\(label)"],
                description: words["export.\(label).description"]
            )
        }
    }
}
