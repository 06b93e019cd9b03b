/// Folds one event into the claim of a value.
package func evolve(_ state: inout ClaimState, _ event: RecordedEvent) {
    switch event.event {
    case .valueClaimed(let holder): state.holder = holder
    case .valueReleased: state.holder = nil
    default: break
    }
}
