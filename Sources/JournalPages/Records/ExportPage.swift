/// The page of the formats in which a record can be exported.
package struct ExportPage: WebPage {
    package static let template = Template(PackageResources.export_mustache)

    package let head: RecordHead
    package let formats: [Format]

    package struct Format: Sendable {
        package let address: String
        package let label: String
        package let description: String
    }

    package init(_ head: RecordHead, formats: [String], _ words: Words) {
        self.head = head
        let moment = head.moment.query.isEmpty ? "" : "&" + head.moment.query.dropFirst()
        self.formats = formats.map { name in
            // A PDF takes a while to create; a page of its own shows the progress.
            let place = name == "pdf" ? "pdf" : "file"
            return Format(
                address: "\(head.address)/export/\(place)?as=\(name)\(moment)",
                label: words["export.\(name)"],
                description: words["export.\(name).description"]
            )
        }
    }
}
