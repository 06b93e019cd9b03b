import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange
import JournalServer

extension JournalOperation where Result == WriteResult {
    /// Grants access to an account; `replacing` is the position of the grant that may be replaced, nil for none.
    static func grant(
        _ terms: GrantTerms,
        to account: UUID,
        on record: UUID,
        replacing position: UInt64?
    ) -> Self {
        Self {
            let replaced = position.map { GrantReplacement.given(at: $0) } ?? .none
            return try await $0.journal.grant(terms, to: account, on: record, replacing: replaced, $0.caller)
        } remote: {
            let path = ["records", record.text, "caregivers", account.text]
            var request = ServiceRequest.write(.put, at: path, query: $0.reasonQuery, body: terms.json)
            request.expecting = position
            return try await $0.write(request)
        }
    }

    static func revoke(_ account: UUID, on record: UUID) -> Self {
        Self {
            try await $0.journal.revoke(account, on: record, $0.caller)
        } remote: {
            let path = ["records", record.text, "caregivers", account.text]
            return try await $0.write(.write(.delete, at: path, query: $0.reasonQuery))
        }
    }

    /// Accepts an invitation; `replacing` is the position of the grant that may be replaced, nil for none.
    static func acceptInvitation(_ code: String, replacing position: UInt64?) -> Self {
        Self {
            let replaced = position.map { GrantReplacement.given(at: $0) } ?? .none
            return try await $0.journal.acceptInvitation(code, replacing: replaced, $0.caller)
        } remote: {
            let path = ["invitations", "accept"]
            var request = ServiceRequest.write(
                .post,
                at: path,
                query: $0.reasonQuery,
                body: ["code": .string(code)]
            )
            request.expecting = position
            return try await $0.write(request)
        }
    }

    static func withdrawInvitation(_ invitation: UUID, of record: UUID) -> Self {
        Self {
            try await $0.journal.withdrawInvitation(invitation, of: record, $0.caller)
        } remote: {
            let path = ["records", record.text, "invitations", invitation.text]
            return try await $0.write(.write(.delete, at: path, query: $0.reasonQuery))
        }
    }

    static func acknowledgeNotice(_ position: UInt64) -> Self {
        Self {
            try await $0.journal.acknowledgeNotice(position, $0.caller)
        } remote: {
            let path = ["notices", String(position), "acknowledge"]
            return try await $0.write(.write(.post, at: path, query: $0.reasonQuery))
        }
    }
}

extension JournalOperation where Result == [GrantDocument] {
    static func grants(of record: UUID, asOf: AsOf?) -> Self {
        Self {
            let journal = $0.journal
            return try await journal.grants(of: record, asOf: asOf, $0.caller).map { journal.document(of: $0) }
        } remote: {
            try await $0.list(
                "caregivers",
                .get("records", record.text, "caregivers", query: [("asOf", asOf?.parameterText)])
            )
        }
    }
}

extension JournalOperation where Result == NewInvitation {
    static func invite(_ terms: GrantTerms, to record: UUID, days: Int) -> Self {
        Self {
            try await $0.journal.invite(terms, to: record, days: days, $0.caller)
        } remote: {
            let body = JSONValue.object(terms.json.members + [.init("days", .integer(days))])
            // The service returns the code only once: the answer to a repeated request would not contain it.
            return try await $0.client.send($0.once(.post, "records", record.text, "invitations", body: body))
                .read { made throws(ModelError) in
                    NewInvitation(
                        code: try made.required("code"),
                        id: try made.id("id"),
                        expires: try made.instant("expires"),
                        position: try made.number("position")
                    )
                }
        }
    }
}

extension JournalOperation where Result == InvitationPreviewDocument {
    static func previewInvitation(_ code: String) -> Self {
        Self {
            try await $0.journal.document(of: $0.journal.previewInvitation(code, $0.caller))
        } remote: {
            try await $0.client.send(.write(.post, "invitations", "preview", body: ["code": .string(code)]))
                .read { preview throws(ModelError) in try InvitationPreviewDocument(preview) }
        }
    }
}

extension JournalOperation where Result == [InvitationDocument] {
    static func invitations(to record: UUID) -> Self {
        Self {
            let now = $0.now
            return try await $0.journal.invitations(to: record, $0.caller).map { InvitationDocument($0, now: now) }
        } remote: {
            try await $0.list("invitations", .get("records", record.text, "invitations"))
        }
    }
}

extension JournalOperation where Result == OpenedEmergency {
    static func openEmergency(_ record: UUID, hours: Int) -> Self {
        Self {
            try await $0.journal.openEmergency(record, hours: hours, $0.caller)
        } remote: {
            let body: JSONValue = ["reason": .string($0.reason ?? ""), "hours": .integer(hours)]
            return try await $0.client.send(.write(.post, "records", record.text, "emergency-access", body: body))
                .read(OpenedEmergency.init)
        }
    }

    static func openEmergency(chip: String, in practice: UUID, hours: Int) -> Self {
        Self {
            try await $0.journal.openEmergency(chip: chip, in: practice, hours: hours, $0.caller)
        } remote: {
            let body: JSONValue = [
                "chip": .string(chip), "reason": .string($0.reason ?? ""), "hours": .integer(hours),
            ]
            return try await $0.client.send(.write(.post, "practices", practice.text, "emergency-access", body: body))
                .read(OpenedEmergency.init)
        }
    }
}

extension JournalOperation where Result == [NoticeDocument] {
    static var notices: Self {
        Self {
            let journal = $0.journal
            return try await journal.notices($0.caller).map { journal.document(of: $0) }
        } remote: {
            try await $0.list("notices", .get("notices"))
        }
    }
}

extension OpenedEmergency {
    fileprivate init(_ opened: NativeObject) throws(ModelError) {
        self.init(
            position: try opened.number("position"),
            record: try opened.id("record"),
            expires: try opened.instant("expires")
        )
    }
}
