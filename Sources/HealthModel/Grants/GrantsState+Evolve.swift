/// Folds one event into the grants of a record.
package func evolve(_ state: inout GrantsState, _ event: RecordedEvent) {
    switch event.event {
    case .caregiverGranted(let account, let terms):
        state.grants[account] = Grant(account: account, terms: terms, given: event.stamp)
    case .caregiverRevoked(let account):
        state.grants[account]?.revoked = event.stamp
    case .recordErased:
        state.grants = [:]
    default:
        break
    }
}
