package import FoundationEssentials
package import HealthModel

/// Who has an account, for those who run the journal.
package struct AccountsPage: WebPage {
    package static let template = "accounts"

    package let accounts: [ShownAccount]

    package struct ShownAccount: Sendable {
        package let name: String
        package let kind: String
        package let told: String
        package let isOwn: Bool
        /// Nil where whoever looks is not to set it.
        package let passwordAddress: String?
        package let tokenAddress: String?
        /// Of a program, which cannot look after its own.
        package let tokens: [ShownToken]
    }

    /// A token that works.
    package struct ShownToken: Sendable {
        package let told: String
        package let address: String
    }

    /// With the accounts whose passwords, and to which tokens, may be given by whoever looks.
    package init(
        _ accounts: [AccountState],
        own: UUID,
        mayLetIn: Set<UUID>,
        mayIssueTo: Set<UUID>,
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
                told: [words["accountAddedOn", reader.day(of: account.added.recordedAt)], words[comesIn]]
                    .joined(separator: " · "),
                isOwn: isOwn,
                passwordAddress: !isOwn && account.kind != .tool && mayLetIn.contains(account.id)
                    ? "\(address)/password" : nil,
                tokenAddress: !isOwn && mayIssueTo.contains(account.id) ? "\(address)/tokens/new" : nil,
                tokens: account.kind != .tool
                    ? []
                    : account.tokens.values.filter { $0.isValid(at: now) }
                        .sorted { $0.issued.position < $1.issued.position }
                        .map { token in
                            let issued = words["tokenIssued", reader.day(of: token.issued.recordedAt)]
                            return ShownToken(
                                told: "\(token.scope) · \(issued)",
                                address: "\(address)/tokens/\(token.id.text)/revoke"
                            )
                        }
            )
        }
    }
}
