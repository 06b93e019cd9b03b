package import FoundationEssentials

/// An owner of a record.
package struct OwnerDocument: DefinedDocument, Hashable {
    package var account: UUID
    package var name: String?

    package init(account: UUID, name: String?) {
        self.account = account
        self.name = name
    }

    package static let definition = DocumentDefinition(
        OwnerDocument.init,
        DocumentMember("account", \.account),
        DocumentMember("name", \.name)
    )
}
