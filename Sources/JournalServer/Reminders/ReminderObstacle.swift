import FoundationEssentials
import HealthModel

/// Why the service can send nothing to a channel, until its operator changes its settings.
enum ReminderObstacle: String, Hashable, Sendable {
    case noEmail
    case hostNotNamed

    /// The reason in words.
    var reason: Message {
        switch self {
        case .noEmail: "no program for e-mail is set: --reminder-sendmail"
        case .hostNotNamed: "the host of the channel is not among --reminder-hosts"
        }
    }
}

extension ReminderSettings {
    /// Returns why nothing can be sent to a channel; nil if the settings permit it.
    func obstacle(to kind: ReminderChannel.Kind, at address: String) -> ReminderObstacle? {
        switch kind {
        case .email: sendmail == nil ? .noEmail : nil
        case .ntfy, .webhook, .webpush:
            URL(string: address)?.host().map { hosts.allows(host: $0) } == true ? nil : .hostNotNamed
        }
    }
}
