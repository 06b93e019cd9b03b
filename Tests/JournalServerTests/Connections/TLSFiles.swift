import Foundation
import TestSupport
import Testing

/// A certificate for localhost and its key, in files that are removed when the value is released.
final class TLSFiles: Sendable {
    let certificate: String
    let key: String
    private let folder: URL

    init() async throws {
        folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        (certificate, key) = (folder.appending(path: "c.pem").path, folder.appending(path: "k.pem").path)
        let made = try await run(
            "openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key,
                "-out",
                certificate,
            ]
        )
        try #require(made.status == 0, "\(made.message)")
    }

    deinit { try? FileManager.default.removeItem(at: folder) }
}
