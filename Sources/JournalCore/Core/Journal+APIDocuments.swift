package import HealthModel
package import Interchange

/// The documents of the API, completed with what only the journal knows: names of accounts, today's date, last uses.
extension Journal {
    package func document(of grant: Grant) -> GrantDocument {
        GrantDocument(
            grant,
            name: accounts.name(of: grant.account),
            giver: accounts.name(of: grant.givenBy),
            today: today
        )
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
            by: accounts.name(of: notice.emergency.account)
        )
    }

    package func document(of calendar: CalendarLinkState) -> CalendarDocument {
        CalendarDocument(calendar, name: accounts.name(of: calendar.calendar.account))
    }

    package func document(of token: TokenState) -> TokenDocument {
        TokenDocument(token, lastUse: accounts.lastUse(of: token))
    }

    package func document(of account: AccountState) -> AccountDocument {
        let tokens = account.tokens.values.sorted { $0.issued.position < $1.issued.position }
        return AccountDocument(account, tokens: tokens.map { document(of: $0) })
    }
}

extension RecordAnswer {
    /// The record's document without its opening (`NativeDocument.opening`), with the caller's access right and its
    /// extent.
    package func json(retracted: Bool = false) -> JSONValue {
        var scope = scope
        scope.includeRetracted = retracted
        return .object(NativeDocument.members(of: state, scope: scope) + [.init("access", access)])
    }

    /// The right by which the record is shown, and the part that it covers.
    package var access: JSONValue {
        [
            "right": right.json,
            "sections": .array(Section.allCases.filter(sections.contains).map { .string($0.name) }),
            "profile": .bool(showsProfile),
        ]
    }
}

extension RecordAnswer {
    /// The part of the record that a document may contain.
    package var scope: ExportScope {
        ExportScope(
            sections: sections == Set(Section.allCases) ? nil : sections,
            kinds: kinds == Set(Kind.all) ? nil : kinds
        )
    }
}
