import FoundationEssentials

/// A web address from which keys are requested.
struct WebAddress {
    let text: String
    private let url: URL

    init?(_ text: String) {
        guard let url = URL(string: text), url.host()?.isEmpty == false else { return nil }
        (self.text, self.url) = (text, url)
    }

    /// Whether the keys cannot be replaced in transit: HTTPS, or a loopback address.
    var isTrusted: Bool {
        switch url.scheme?.lowercased() {
        case "https": true
        case "http": ["127.0.0.1", "::1", "[::1]", "localhost"].contains(url.host()?.lowercased())
        default: false
        }
    }
}
