/// In which forms a record can be taken away.
package struct ExportPage: WebPage {
    package static let template = "export"

    package let head: RecordHead
    package let formats: [Format]

    package struct Format: Sendable {
        package let address: String
        package let label: String
        package let told: String
    }

    package init(_ head: RecordHead, formats: [String], _ words: Words) {
        self.head = head
        let moment = head.moment.query.isEmpty ? "" : "&" + head.moment.query.dropFirst()
        self.formats = formats.map { name in
            Format(
                address: "\(head.address)/export/file?as=\(name)\(moment)",
                label: words["export.\(name)"],
                told: words["export.\(name).told"]
            )
        }
    }
}
