import EventLog
import Foundation
import HealthJournal
import HealthModel
import Interchange
import TestSupport
import Testing

@testable import JournalServer

@Suite("Service on a network", .serialized)
struct LiveServiceTests {
    @Test("Attacks from the network fail", .timeLimit(.minutes(10)))
    func attacks() async throws {
        let fixture = try await ServiceFixture()
        let (journal, owner, token) = (fixture.journal, fixture.owner, fixture.token)
        let record = try #require(try await journal.records.createRecord(profile(), owner).record)
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "attack.py").path
        let result = try await fixture.live { port in
            try await run("python3", [script, "127.0.0.1:\(port)", token, record.text])
        }
        #expect(result.status == 0, "\(result.text)\(result.message)")
        #expect(result.text.split(separator: "\n").count > 30)
        #expect(try await journal.records.read(record, ReadOptions(), owner).state.entries.isEmpty)
    }

    @Test("With TLS the service answers over HTTP/2 and HTTP/1.1, and refuses plain HTTP")
    func tls() async throws {
        let fixture = try await ServiceFixture()
        let files = try await TLSFiles()
        let (certificate, key) = (files.certificate, files.key)
        let settings = ServerSettings(port: 0, certificateFile: certificate, privateKeyFile: key)
        try await fixture.live(settings) { port in
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

    @Test("The service refuses to start on a network address without TLS or an explicit permission")
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
