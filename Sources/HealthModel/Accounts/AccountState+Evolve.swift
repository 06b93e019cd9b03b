/// Folds one event into an account.
package func evolve(_ state: inout AccountState?, _ event: RecordedEvent) {
    switch event.event {
    case .accountAdded(let profile):
        guard state == nil else { return }
        state = AccountState(id: event.subject, profile: profile, added: event.stamp)
    case .tokenIssued(let token):
        state?.tokens[token.id] = TokenState(token: token, issued: event.stamp)
    case .tokenRevoked(let id):
        state?.tokens[id]?.revoked = event.stamp
    case .tokenUsed(let id):
        state?.tokens[id]?.used = event.stamp
    case .passwordSet(let password):
        state?.password = password
    case .sessionBegun(let session):
        // The state drops sessions that have ended or expired; their events remain in the log.
        var open = state?.sessions.filter { $0.value.isOpen(at: event.stamp.recordedAt) } ?? [:]
        open[session.id] = SessionState(session: session, begun: event.stamp)
        state?.sessions = open
    case .sessionEnded(let id):
        state?.sessions[id]?.ended = event.stamp
    case .identityLinked(let identity):
        state?.identities[identity.id] = IdentityState(identity: identity, linked: event.stamp)
    case .identityUnlinked(let id):
        state?.identities[id] = nil
    default:
        break
    }
}
