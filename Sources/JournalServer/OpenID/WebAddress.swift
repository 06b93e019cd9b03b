import FoundationEssentials

/// An address that keys are asked for at.
struct WebAddress {
    let text: String
    private let url: URL

    init?(_ text: String) {
        guard let url = URL(string: text), url.host()?.isEmpty == false else { return nil }
        (self.text, self.url) = (text, url)
    }

    /// Whether nobody on the way can put other keys in: HTTPS, or this machine itself.
    var isTrusted: Bool {
        switch url.scheme?.lowercased() {
        case "https": true
        case "http": ["127.0.0.1", "::1", "[::1]", "localhost"].contains(url.host()?.lowercased())
        default: false
        }
    }
}
