package import HealthModel

extension FormField {
    /// Creates the choice of what ends with a password change; nil if nothing works independently of the password.
    package init?(
        revoking access: LastingAccess,
        problem: String?,
        _ reader: Reader
    ) {
        guard !access.isEmpty else { return nil }
        let words = reader.words
        self.init("revoke", words["revokeToo"], .choice, problem: problem)
        takesSeveral = true
        hint = words["hint.revokeToo"]
        options =
            access.tokens.map { token in
                let issued = words["tokenIssued", reader.day(of: token.issued.recordedAt)]
                return FormOption(
                    token.id.text,
                    words["revokedToken", token.scope.description, issued],
                    isChosen: false
                )
            }
            + access.identities.map { identity in
                FormOption(
                    identity.identity.id.text,
                    words["revokedIdentity", identity.identity.subject, identity.identity.issuer],
                    isChosen: false
                )
            }
            + access.calendars.map { calendar in
                FormOption(
                    calendar.state.id.text,
                    words["revokedCalendar", reader.day(of: calendar.state.linked.recordedAt)],
                    isChosen: false
                )
            }
            + access.channels.map { channel in
                FormOption(
                    channel.id.text,
                    words[
                        "revokedChannel",
                        words["channel.\(channel.channel.kind.rawValue)"],
                        reader.day(of: channel.added.recordedAt)
                    ],
                    isChosen: false
                )
            }
    }
}
