import HealthJournal
import NIOSSL

/// Where and how the service listens.
package struct ServerSettings: Sendable {
    package var host: String
    package var port: Int
    /// PEM files; without them plain HTTP is spoken.
    package var certificateFile: String?
    package var privateKeyFile: String?
    /// Plain HTTP on an address that others reach: only when whoever runs the service says so.
    package var allowsPlainHTTP: Bool
    package var door: DoorLimits
    /// How many connections there may be at once; nil for as many as the system has files for.
    package var connections: Int?
    /// Whose tokens are taken besides the journal's own; nil for nobody's.
    package var openID: OpenIDSettings?

    package init(
        host: String = "127.0.0.1",
        port: Int = 8420,
        certificateFile: String? = nil,
        privateKeyFile: String? = nil,
        allowsPlainHTTP: Bool = false,
        door: DoorLimits = DoorLimits(),
        openID: OpenIDSettings? = nil
    ) {
        self.host = host
        self.port = port
        self.certificateFile = certificateFile
        self.privateKeyFile = privateKeyFile
        self.allowsPlainHTTP = allowsPlainHTTP
        self.door = door
        self.openID = openID
    }

    package var speaksTLS: Bool { certificateFile != nil }

    /// Whether the address is this machine's alone.
    var isLoopback: Bool { ["127.0.0.1", "::1", "localhost"].contains(host) }

    /// Why the service must not start like this; nil if it may.
    package var objection: String? {
        if (certificateFile == nil) != (privateKeyFile == nil) {
            return "a certificate and its private key go together: give --tls-certificate and --tls-key"
        }
        if !speaksTLS, !isLoopback, !allowsPlainHTTP {
            return
                "on \(host) others could read along: give --tls-certificate and --tls-key, or, behind a proxy that does, "
                + "--allow-plain-http"
        }
        return openID?.objection
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
