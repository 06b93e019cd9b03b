import Foundation
import Interchange
import TestSupport
import Testing

@Suite("The service's log")
struct ServiceLogTests {
    @Test(
        "Each request is one line with its route, status and account, and without anything of a record",
        arguments: ["json", "text"]
    )
    func requests(_ format: String) throws {
        let tool = try CommandLineTool()
        let record = try tool.person("Zebulon")
        let token = try tool.json("token", "issue", "owner", "--scope", "full").string("token")
        let owner = try tool.json("account", "list").items.first?.string("id") ?? ""
        let file = tool.folder.path + "/log"
        let command = "exec \(CommandLineTool.executable) serve --port 0 --log-format \(format) 2> \(file)"
        let service = try tool.background("/bin/sh", ["-c", command])
        let url = "http://127.0.0.1:\(try #require(service.firstLine.split(separator: ":").last))"
        let trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        for path in ["/v1/records/\(record)?asOf=2099-01-01", "/v1/records/\(record)/entries/weight?secret=Zebulon"] {
            _ = try tool.run(
                "/usr/bin/curl",
                ["-s", "-H", "Authorization: Bearer \(token)", "-H", "traceparent: \(trace)", url + path]
            )
        }
        service.stop()
        let log = try String(contentsOfFile: file, encoding: .utf8)
        let lines = log.split(separator: "\n").map(String.init)
        #expect(!log.contains("Zebulon"), "\(log)")
        #expect(!log.contains(record), "\(log)")
        #expect(!log.contains(token), "\(log)")
        let answered = lines.filter { $0.contains("answered") }
        #expect(answered.count == 2 && lines.contains { $0.contains("started") })
        #expect(lines.last?.contains("stopped") == true)
        for line in answered {
            if format == "json" {
                let json = try JSONReader.read(Array(line.utf8))
                #expect(try json.string("route").contains("{record}") && json.string("account") == owner)
                #expect(
                    try json.string("correlation") == "0af76519-16cd-43dd-8448-eb211c80319c"
                        && json.integer("status") >= 200
                )
            } else {
                #expect(
                    line.contains(" info answered ") && line.contains("account=\(owner)") && line.contains("status=")
                )
            }
        }
    }

    @Test("Addresses of clients are logged only if the operator asks for it, and as trusted proxies name them")
    func addresses() throws {
        for isLogged in [false, true] {
            let tool = try CommandLineTool()
            let file = tool.folder.path + "/log"
            let more = isLogged ? "--log-addresses" : ""
            let program = CommandLineTool.executable
            let command = "exec \(program) serve --port 0 --trusted-proxy 127.0.0.1 \(more) 2> \(file)"
            let service = try tool.background("/bin/sh", ["-c", command])
            let url = "http://127.0.0.1:\(try #require(service.firstLine.split(separator: ":").last))/health/live"
            _ = try tool.run("/usr/bin/curl", ["-s", "-H", "X-Forwarded-For: 198.51.100.7, 203.0.113.9", url])
            service.stop()
            let log = try String(contentsOfFile: file, encoding: .utf8)
            #expect(log.contains("client=203.0.113.9") == isLogged, "\(log)")
            #expect(!log.contains("198.51.100.7"), "\(log)")
        }
    }

    @Test(
        "Readiness says that the key file is gone, before the restart fails; the metrics have an address of their own"
    )
    func keyFile() throws {
        let tool = try CommandLineTool()
        let file = tool.folder.path + "/log"
        let token = try tool.write("a-token-of-the-metrics\n", to: "token")
        let command = """
            exec \(CommandLineTool.executable) serve --port 0 --metrics-listen 127.0.0.1:0 --metrics-token-file \(token) \
            2> \(file)
            """
        let service = try tool.background("/bin/sh", ["-c", command])
        let url = "http://127.0.0.1:\(try #require(service.firstLine.split(separator: ":").last))"
        func fetch(_ address: String, _ more: String...) throws -> String {
            try tool.run("/usr/bin/curl", ["-s", "-w", " %{http_code}"] + more + [address]).text
        }
        // The listener for metrics starts beside the service.
        var log = ""
        for _ in 0..<100 where !log.contains("/metrics") {
            Thread.sleep(forTimeInterval: 0.1)
            log = try String(contentsOfFile: file, encoding: .utf8)
        }
        let metrics = String(try #require(log.firstMatch(of: /http:\/\/127\.0\.0\.1:[0-9]+\/metrics/)?.output))
        #expect(try fetch(url + "/metrics").hasSuffix(" 404"))
        #expect(try fetch(metrics).hasSuffix(" 401"))
        let shown = ["-H", "Authorization: Bearer a-token-of-the-metrics"]
        #expect(try fetch(metrics, shown[0], shown[1]).contains("healthjournal_reminders_waiting 0"))
        #expect(try fetch(metrics.replacing("/metrics", with: "/health/live")).hasSuffix(" 200"))

        #expect(try fetch(url + "/health/ready").hasSuffix(" 200"))
        let keys = tool.folder.path + "/config/healthjournal"
        let names = try FileManager.default.contentsOfDirectory(atPath: keys)
        let key = "\(keys)/\(try #require(names.first { $0.hasSuffix(".key") }))"
        try FileManager.default.moveItem(atPath: key, toPath: key + ".away")
        let gone = try fetch(url + "/health/ready")
        #expect(gone.hasSuffix(" 503"))
        #expect(gone.contains("the file of the master key cannot be used"))
        #expect(!gone.contains(key))
        try Data(repeating: 7, count: 32).write(to: URL(filePath: key))
        #expect(try fetch(url + "/health/ready").hasSuffix(" 503"))
        try FileManager.default.removeItem(atPath: key)
        try FileManager.default.moveItem(atPath: key + ".away", toPath: key)
        #expect(try fetch(url + "/health/ready").hasSuffix(" 200"))
        service.stop()
    }

    @Test("A log that nobody reads does not stop the service")
    func unread() throws {
        let tool = try CommandLineTool()
        let command = "exec \(CommandLineTool.executable) serve --port 0 2> >(sleep 600)"
        let service = try tool.background("/bin/bash", ["-c", command])
        let url = "http://127.0.0.1:\(try #require(service.firstLine.split(separator: ":").last))"
        // Several times what a pipe holds.
        let many = try tool.run(
            "/usr/bin/curl",
            ["-s", "--fail-early", "-m", "20", "-o", "/dev/null", "\(url)/sign-in?n=[1-3000]"]
        )
        #expect(many.status == 0)
        let live = try tool.run("/usr/bin/curl", ["-s", "-m", "10", "\(url)/health/live"])
        #expect(live.status == 0)
        #expect(!live.text.isEmpty)
        service.kill()
    }
}
