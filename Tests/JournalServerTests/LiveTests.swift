import EventLog
import Foundation
import HealthJournal
import HealthModel
import Interchange
import TestSupport
import Testing

@testable import JournalServer

@Suite("The service on a network", .serialized)
struct LiveTests {
    @Test("A stranger's attacks are held", .timeLimit(.minutes(10)))
    func attacks() async throws {
        let ground = try await ServiceGround()
        let (journal, owner, token) = (ground.journal, ground.owner, ground.token)
        let record = try #require(try await journal.createRecord(profile(), owner).record)
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "attack.py").path
        let result = try await ground.live { port in
            try await run("python3", [script, "127.0.0.1:\(port)", token, record.text])
        }
        #expect(result.status == 0, "\(result.text)\(result.message)")
        #expect(result.text.split(separator: "\n").count > 30)
        #expect(try await journal.read(record, ReadOptions(), owner).state.entries.isEmpty)
    }

    @Test("Whoever comes when all connections are taken waits until one is free", .timeLimit(.minutes(1)))
    func crowd() async throws {
        let ground = try await ServiceGround()
        var settings = ServerSettings(port: 0)
        settings.connections = 3
        let script = """
            import socket, sys
            def connect():
                one = socket.create_connection(("127.0.0.1", int(sys.argv[1])), timeout=30)
                one.sendall(b"GET /health/live HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n")
                return one
            def answers(one, patience):
                one.settimeout(patience)
                try: return b"200" in one.recv(4096)
                except TimeoutError: return False
            taken = [connect() for _ in range(3)]
            assert all(answers(one, 30) for one in taken)
            late = connect()
            assert not answers(late, 0.3), "a fourth was answered"
            taken.pop().close()
            assert answers(late, 30), "nobody let it in"
            """
        let result = try await ground.live(settings) { port in try await run("python3", ["-c", script, "\(port)"]) }
        #expect(result.status == 0, "\(result.message)")
    }

    @Test("Over TLS it speaks HTTP/2 and HTTP/1.1, and plain HTTP not at all")
    func tls() async throws {
        let ground = try await ServiceGround()
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (certificate, key) = (folder.appending(path: "c.pem").path, folder.appending(path: "k.pem").path)
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
        let settings = ServerSettings(port: 0, certificateFile: certificate, privateKeyFile: key)
        try await ground.live(settings) { port in
            for (option, version) in [("--http2", "2"), ("--http1.1", "1.1")] {
                let result = try await run(
                    "curl",
                    [
                        "-sS", "-m", "10", option, "--cacert", certificate, "-w", " %{http_version}",
                        "https://localhost:\(port)/health/live",
                    ]
                )
                #expect(result.text == #"{"status":"live"} \#(version)"#)
            }
            let plain = try await run("curl", ["-sS", "-m", "5", "http://localhost:\(port)/health/live"])
            #expect(plain.status != 0)
        }
    }

    @Test("It refuses to start where others could read along")
    func plain() {
        #expect(ServerSettings(host: "0.0.0.0").objection != nil)
        #expect(ServerSettings(host: "192.168.1.4", allowsPlainHTTP: true).objection == nil)
        #expect(ServerSettings(host: "::1").objection == nil)
        #expect(ServerSettings(certificateFile: "c.pem").objection != nil)
        #expect(ServerSettings(host: "0.0.0.0", certificateFile: "c", privateKeyFile: "k").objection == nil)
    }

    private func profile() throws -> RecordProfile {
        var profile = RecordProfile(subject: .human)
        try profile.set("givenName", text: "Ida")
        try profile.set("familyName", text: "Winterthaler")
        return profile
    }
}
