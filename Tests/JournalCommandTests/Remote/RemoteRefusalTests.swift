import Interchange
import TestSupport
import Testing

@Suite("Refusals by the tool or the service")
struct RemoteRefusalTests {
    @Test(
        "Commands that need the journal's folder report that",
        arguments: [
            ["init"], ["sample"], ["doctor"], ["keys", "rotate"], ["views", "rebuild"], ["serve"],
            ["backup", "/tmp/none"], ["restore", "/tmp/none"], ["accept-log", "--reason", "x"],
            ["import", "native", "/tmp/none"], ["import", "purus", "/tmp/none"],
        ]
    )
    func folder(_ command: [String]) throws {
        let tool = try CommandLineTool(hasJournal: false, ["HEALTHJOURNAL_TOKEN": "hj_secret"])
        let outcome = try tool.run(command + ["--url", "http://127.0.0.1:1"])
        #expect(outcome.status == 64)
        #expect(outcome.message.contains("--journal DIR instead of --url"))
        #expect(!outcome.message.contains("hj_secret"))
    }

    @Test("Options that exclude each other are refused")
    func options() throws {
        let tool = try CommandLineTool(hasJournal: false)
        func refusal(_ arguments: String..., tool: CommandLineTool) throws -> String {
            let outcome = try tool.run(["record", "list"] + arguments)
            #expect(outcome.status == 64, "\(arguments)")
            return outcome.message
        }
        let url = "http://127.0.0.1:1"
        #expect(try refusal("--url", url, tool: tool).contains("a token is required"))
        #expect(try refusal("--url", url, "--token", "a b", tool: tool).contains("one word"))
        #expect(try refusal("--url", url, "--token", "t", "--as", "anna", tool: tool).contains("leave out --as"))
        #expect(try refusal("--url", url, "--token", "t", "--journal", "x", tool: tool).contains("not both"))
        #expect(try refusal("--token", "t", tool: tool).contains("go with --url"))
        #expect(try refusal("--url", "http://example.org", "--token", "t", tool: tool).contains("--insecure-http"))
        #expect(try refusal("--url", "http://127.0.0.1.example.org", "--token", "t", tool: tool).contains("insecure"))
        #expect(try refusal("--url", "ftp://example.org", "--token", "t", tool: tool).contains("address of a service"))
        let named = try refusal("--url", "https://ada:secret@example.org", "--token", "t", tool: tool)
        #expect(named.contains("address alone"))
        #expect(!named.contains("secret"))
        #expect(try refusal("--url", url, "--token", "t", "--ca", "/dev/null", tool: tool).contains("PEM"))
        let set = try CommandLineTool(hasJournal: false, ["HEALTHJOURNAL_URL": url, "HEALTHJOURNAL_TOKEN": "t"])
        #expect(try set.run("doctor").status == 64)
    }

    @Test("A wrong token, a wrong address and an unreachable service are reported")
    func nobody() throws {
        let service = try LiveService()
        let wrong = try service.run(["record", "list"], token: "hj_wrong")
        #expect(wrong.status == 1)
        #expect(wrong.message.contains("does not accept this token"))
        #expect(!wrong.message.contains("hj_wrong"))
        let lost = try service.run(["record", "list"], at: service.url + "/somewhere")
        #expect(lost.status == 2)
        let plain = try service.run(["record", "list"], at: service.url.replacing("http:", with: "https:"))
        #expect(plain.status == 1)
        #expect(plain.message.contains("does not use TLS"))
        let json = try service.run(["record", "list", "--format", "json"], token: "hj_wrong")
        #expect(try JSONReader.read(Array(json.message.utf8)).string("error") == "unauthenticated")
        let revoked = try service.json("token", "issue", "owner", "--scope", "read")
        try service.json("token", "revoke", revoked.string("id"))
        #expect(try service.run(["record", "list"], token: revoked.string("token")).status == 1)
        let reading = try service.json("token", "issue", "owner", "--scope", "read").string("token")
        #expect(try service.run(["record", "create", "--given-name", "Ida"], token: reading).status == 4)
        let away = try service.run(["record", "list"], at: "http://127.0.0.1:1")
        #expect(away.status == 1)
        #expect(away.message.contains("no service answers"))
    }

    @Test("The service's own certificate is trusted only where --ca names it")
    func certificate() throws {
        let keys = try CommandLineTool(hasJournal: false)
        let (certificate, key) = (keys.folder.path + "/c.pem", keys.folder.path + "/k.pem")
        let request = [
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
            "-subj",
            "/CN=journal", "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate,
        ]
        try keys.run("/usr/bin/openssl", request).succeeded()
        let service = try LiveService("--tls-certificate", certificate, "--tls-key", key, scheme: "https")
        let named = service.url.replacing("127.0.0.1", with: "localhost")
        try service.run(["record", "create", "--given-name", "Ida", "--ca", certificate], at: named).succeeded()
        let refused = try service.run(["record", "list"], at: named)
        #expect(refused.status == 1)
        #expect(refused.message.contains("--ca FILE"))
        let other = try service.run(["record", "list", "--ca", certificate])
        #expect(other.status == 1)
        #expect(other.message.contains("--ca FILE"))
    }
}
