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
    default:
        break
    }
}
