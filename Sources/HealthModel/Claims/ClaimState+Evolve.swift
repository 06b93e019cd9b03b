/// Folds one event into the claim of a value.
package func evolve(_ state: inout ClaimState, _ event: RecordedEvent) {
    switch event.event.data {
    case let claimed as ValueClaimed: state.holder = claimed.holder
    case is ValueReleased: state.holder = nil
    default: break
    }
}
