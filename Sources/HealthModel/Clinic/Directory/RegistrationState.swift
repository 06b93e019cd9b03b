/// The registration of one animal at one practice as of a position of the log.
package struct RegistrationState: Hashable, Sendable {
    package var made: Stamp
    package var number: String
    package var ended: Stamp?
}

/// Folds one event into the registration of its stream; nil before one is made.
package func evolve(_ state: inout RegistrationState?, _ event: RecordedEvent) {
    switch event.event.data {
    case let made as RegistrationMade: state = RegistrationState(made: event.stamp, number: made.number)
    case is RegistrationEnded: state?.ended = event.stamp
    default: break
    }
}
