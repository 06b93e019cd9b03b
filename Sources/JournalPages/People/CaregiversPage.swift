internal import FoundationEssentials
package import HealthModel
internal import QRCode

/// The page of a record's grants and open invitations.
package struct CaregiversPage: WebPage {
    package static let template = Template("caregivers")

    package let head: RecordHead
    package let mayInvite: Bool
    package let grants: [ShownGrant]
    package let isEmpty: Bool
    package let invitations: [ShownInvitation]
    package let hasNoInvitations: Bool
    /// Whether open invitations are shown: they are current, and so not shown for a past moment.
    package let showsInvitations: Bool
    /// Hides the "happened up to" filter: a grant has no date of happening besides its recorded time.
    package let hidesHappenedUpTo = true

    package struct ShownGrant: Sendable {
        package let account: String
        package let name: String
        package let status: String
        package let sections: String
        package let verbs: String
        package let term: String
        package let given: String
        package let isOver: Bool
        package let mayRevoke: Bool
    }

    package struct ShownInvitation: Sendable {
        package let id: String
        package let description: String
        package let made: String
    }

    package init(
        _ head: RecordHead,
        _ grants: [Grant],
        _ invitations: [InvitationState],
        today: Day,
        _ names: Names,
        _ reader: Reader
    ) {
        self.head = head
        mayInvite = head.mayManage
        let words = reader.words
        let ordered = grants.filter { $0.isOpen(on: today) } + grants.filter { !$0.isOpen(on: today) }
        self.grants = ordered.map { grant in
            let given = words["givenBy", reader.day(of: grant.given.recordedAt), names[grant.givenBy, reader]]
            return ShownGrant(
                account: grant.account.text,
                name: names[grant.account, reader],
                status: words[grant.status(on: today)],
                sections: reader.sections(grant.terms.sections),
                verbs: reader.verbs(grant.terms.verbs),
                term: reader.term(grant.terms),
                given: grant.revoked.map { words["revokedOn", given, reader.day(of: $0.recordedAt)] }
                    ?? words["givenOn", given],
                isOver: !grant.isOpen(on: today),
                mayRevoke: grant.isOpen(on: today) && !head.moment.isPast
            )
        }
        isEmpty = grants.isEmpty
        self.invitations = invitations.map { state in
            let terms = state.invitation.terms
            return ShownInvitation(
                id: state.id.text,
                description: words["invitationFor", reader.sections(terms.sections), reader.verbs(terms.verbs)],
                made: words[
                    "invitationMadeOn",
                    reader.day(of: state.made.recordedAt),
                    reader.moment(state.invitation.expires)
                ]
            )
        }
        hasNoInvitations = invitations.isEmpty
        showsInvitations = !head.moment.isPast
    }
}

extension Grant {
    /// The name of the text that describes the grant's status.
    fileprivate func status(on day: Day) -> String {
        if revoked != nil { return "grantRevoked" }
        if isActive(on: day) { return "grantActive" }
        return isOpen(on: day) ? "grantAhead" : "grantOver"
    }
}

/// The page that shows a new invitation's code, once.
package struct InvitationPage: WebPage {
    package static let template = Template("invitation")

    package let head: RecordHead
    package let code: String
    /// The address with the code as a QR code.
    package let qr: String
    package let expires: String

    package init(_ head: RecordHead, code: String, address: String, expires: Instant, _ reader: Reader) {
        self.head = head
        self.code = code
        qr = QRCode(address)?.svg(reader.words["invitationCode"]) ?? ""
        self.expires = reader.words["invitationExpires", reader.moment(expires)]
    }
}
