package import HealthModel
internal import Interchange

extension TokenScope {
    /// Reports whether a token of this scope permits an action, provided that the account itself may perform it.
    ///
    /// For entries, the category is the name of their kind, or `vitals` for all that vital signs become.
    package func admits(_ action: Action) -> Bool {
        guard definition.permissions.contains(action.permission) else { return false }
        guard let category else { return true }
        return switch action {
        case .contribute(let kind, _):
            kind.name == category
                || (category == ClinicEvent.vitalsLogged.category && LoggedVitals.kinds.contains(kind))
        case .append(let asked): asked == category
        default: false
        }
    }

    static let refusal: Message = "the token's scope does not permit that"
}

extension Action {
    /// The permission that a token needs for the action.
    fileprivate var permission: TokenScope.Permission {
        switch self {
        case .read, .readPast, .see, .account(.readSettings, _): .read
        case .audit, .follow, .oversee: .audit
        case .append, .contribute(_, .adding): .append
        case .contribute(_, .changingOwn), .contribute(_, .changingOthers): .change
        case .sync, .account(.manageDevices, _): .sync
        default: .manage
        }
    }
}
