package import HealthModel
package import Interchange

/// The documents of the API, completed with what only the journal knows: names of accounts, today's date, last uses.
extension Journal {
    package func document(of grant: Grant) -> GrantDocument {
        GrantDocument(grant, name: name(of: grant.account), giver: name(of: grant.givenBy), today: today)
    }

    package func document(of preview: InvitationPreview) -> InvitationPreviewDocument {
        InvitationPreviewDocument(
            record: preview.record,
            terms: preview.terms,
            replaced: preview.replaced.map { GrantDocument($0, today: today) }
        )
    }

    package func document(of notice: Notice) -> NoticeDocument {
        NoticeDocument(
            notice.emergency,
            of: notice.record,
            named: notice.displayName,
            by: name(of: notice.emergency.account)
        )
    }

    package func document(of token: TokenState) -> TokenDocument { TokenDocument(token, lastUse: lastUse(of: token)) }

    package func document(of account: AccountState) -> AccountDocument {
        let tokens = account.tokens.values.sorted { $0.issued.position < $1.issued.position }
        return AccountDocument(account, tokens: tokens.map { document(of: $0) })
    }
}
