import FoundationEssentials
import HealthModel

/// The machine that must answer for a channel, by which attempts are counted and delayed: the host and port of a URL, or
/// the domain of an e-mail address.
///
/// E-mails pass through one program, but a program that delivers them itself waits for the receiving domain.
struct ReminderHost: Hashable {
    private let name: String

    init(of channel: ReminderChannel) {
        switch channel.kind {
        case .email:
            name = "mail " + (channel.address.split(separator: "@").last?.lowercased() ?? "")
        case .ntfy, .webhook, .webpush:
            let url = URL(string: channel.address)
            let port = url?.port ?? (url?.scheme?.lowercased() == "http" ? 80 : 443)
            name = "\(url?.host()?.lowercased() ?? ""):\(port)"
        }
    }
}
