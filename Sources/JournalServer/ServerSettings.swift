import HealthJournal
import HealthModel
package import JournalPages
import NIOSSL

/// The settings of the service: addresses, TLS, limits, proxies and sign-in.
package struct ServerSettings: Sendable {
    package var host: String
    package var port: Int
    /// PEM files; without them, the service uses plain HTTP.
    package var certificateFile: String?
    package var privateKeyFile: String?
    /// Whether plain HTTP is allowed on an address that other machines can reach; the operator must request it
    /// explicitly.
    package var allowsPlainHTTP: Bool
    package var ingest: IngestLimits
    package var connections = ConnectionLimits()
    package var rates = RequestRates()
    /// Networks of the proxies whose forwarding header is trusted to name the client.
    package var trustedProxies: [IPNetwork] = []
    package var proxyHeader = ProxyHeader.xForwardedFor
    /// The address by which browsers reach the service, such as https://journal.example.org, without a trailing slash;
    /// nil if it is the address that the service listens on.
    package var publicURL: String? {
        didSet { if let publicURL, publicURL.hasSuffix("/") { self.publicURL = String(publicURL.dropLast()) } }
    }
    /// The languages of the pages and of printed records.
    package var languages = Languages.builtIn
    /// How reminders leave the service.
    package var reminders = ReminderSettings()
    /// Where the metrics are shown, and to whom.
    package var metrics = MetricsSettings()
    /// Whether the service's log contains the addresses of clients, which are personal data.
    package var logsAddresses = false
    /// Whether accounts whose subscription is over may only read, export and erase.
    package var requiresSubscriptions = false
    /// Whether the published checkpoint and the tiles of the log are served to everybody, and not only to accounts.
    package var publishesLog = false
    /// How long a session may stay unused before it ends; nil for no limit.
    package var idleSessions: Duration?
    /// The OpenID provider whose tokens are accepted besides the journal's own; nil for none.
    package var openID: OpenIDSettings?

    package init(
        host: String = "127.0.0.1",
        port: Int = 8420,
        certificateFile: String? = nil,
        privateKeyFile: String? = nil,
        allowsPlainHTTP: Bool = false,
        ingest: IngestLimits = IngestLimits(),
        openID: OpenIDSettings? = nil
    ) {
        self.host = host
        self.port = port
        self.certificateFile = certificateFile
        self.privateKeyFile = privateKeyFile
        self.allowsPlainHTTP = allowsPlainHTTP
        self.ingest = ingest
        self.openID = openID
    }

    /// The settings of reminders, with links to the address by which browsers reach the service.
    var sentReminders: ReminderSettings {
        var settings = reminders
        settings.publicURL = publicURL
        return settings
    }

    package var speaksTLS: Bool { certificateFile != nil }

    /// Whether the service listens on a loopback address.
    var isLoopback: Bool { ServerSettings.isLoopback(host) }

    static func isLoopback(_ host: String) -> Bool { ["127.0.0.1", "::1", "localhost"].contains(host) }

    /// The reason why the service must not start with these settings; nil if it may.
    package var objection: String? {
        if (certificateFile == nil) != (privateKeyFile == nil) {
            return "a certificate requires its private key, and vice versa: give both --tls-certificate and --tls-key"
        }
        if !speaksTLS, !isLoopback, !allowsPlainHTTP {
            return
                "traffic to \(host) would not be encrypted: give --tls-certificate and --tls-key, or, behind a TLS "
                + "proxy, --allow-plain-http"
        }
        if let publicURL, PublicSite.url(publicURL) == nil {
            return "the public address must be a scheme and a host, such as https://journal.example.org"
        }
        return metrics.objection ?? openID?.objection
    }

    func tls() throws(JournalError) -> TLSConfiguration? {
        guard let certificateFile, let privateKeyFile else { return nil }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: try reading(certificateFile, "a certificate") {
                try NIOSSLCertificate.fromPEMFile($0).map { .certificate($0) }
            },
            privateKey: try reading(privateKeyFile, "a private key") {
                .privateKey(try NIOSSLPrivateKey(file: $0, format: .pem))
            }
        )
        configuration.minimumTLSVersion = .tlsv12
        return configuration
    }

    private func reading<Value>(_ file: String, _ what: String, _ read: (String) throws -> Value) throws(JournalError)
        -> Value
    {
        do {
            return try read(file)
        } catch {
            throw JournalError(.failed, "\(file) cannot be read as \(what) in PEM form")
        }
    }
}
