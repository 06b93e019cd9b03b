package import FoundationEssentials
package import HealthModel

/// The page of all accounts, for administrators of the journal.
package struct AccountsPage: WebPage {
    package static let template = Template("accounts")

    package let accounts: [ShownAccount]

    package struct ShownAccount: Sendable {
        package let name: String
        package let kind: String
        package let description: String
        package let isOwn: Bool
        /// The address for setting the password; nil where the reader may not set it.
        package let passwordAddress: String?
        package let tokenAddress: String?
        package let removalAddress: String?
        /// The valid tokens of a program, which cannot manage its own tokens.
        package let tokens: [ShownToken]
    }

    /// A valid token.
    package struct ShownToken: Sendable {
        package let description: String
        package let address: String
    }

    /// Creates the page.
    ///
    /// `mayLetIn` contains the accounts whose passwords the reader may set, `mayIssueTo` those to which the reader may
    /// issue tokens, and `mayRemove` those that the reader may remove.
    package init(
        _ accounts: [AccountState],
        own: UUID,
        mayLetIn: Set<UUID>,
        mayIssueTo: Set<UUID>,
        mayRemove: Set<UUID>,
        now: Instant,
        _ reader: Reader
    ) {
        let words = reader.words
        self.accounts = accounts.map { account in
            let comesIn =
                account.kind == .tool
                ? "accountIsProgram" : account.password == nil ? "accountHasNoPassword" : "accountHasPassword"
            let address = "/accounts/\(account.id.text)"
            let isOwn = account.id == own
            return ShownAccount(
                name: account.name,
                kind: words["accountTag.\(account.kind.name)"],
                description: [words["accountAddedOn", reader.day(of: account.added.recordedAt)], words[comesIn]]
                    .joined(separator: " · "),
                isOwn: isOwn,
                passwordAddress: !isOwn && account.kind != .tool && mayLetIn.contains(account.id)
                    ? "\(address)/password" : nil,
                tokenAddress: !isOwn && mayIssueTo.contains(account.id) ? "\(address)/tokens/new" : nil,
                removalAddress: !isOwn && mayRemove.contains(account.id) ? "\(address)/remove" : nil,
                tokens: account.kind != .tool
                    ? []
                    : account.tokens.values.filter { $0.isValid(at: now) }
                        .sorted { $0.issued.position < $1.issued.position }
                        .map { token in
                            let issued = words["tokenIssued", reader.day(of: token.issued.recordedAt)]
                            return ShownToken(
                                description: "\(token.scope) · \(issued)",
                                address: "\(address)/tokens/\(token.id.text)/revoke"
                            )
                        }
            )
        }
    }
}
