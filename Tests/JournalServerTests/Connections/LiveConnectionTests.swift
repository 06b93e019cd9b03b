import Foundation
import HummingbirdCore
import Logging
import NIOCore
import NIOEmbedded
import ServiceLifecycle
import TestSupport
import Testing

@testable import JournalServer

@Suite("Connections", .serialized, .timeLimit(.minutes(10)))
struct LiveConnectionTests {
    @Test(
        "A plain connection that takes too long is closed",
        arguments: ["silent", "slow-head", "idle", "stalled"]
    )
    func plain(behaviour: String) async throws {
        var settings = ServerSettings(port: 0)
        settings.connections = LiveConnectionTests.short
        try await expect(behaviour, settings)
    }

    @Test("A client that reads slowly is answered, even if this takes longer than it may read nothing")
    func slowReader() async throws {
        var settings = ServerSettings(port: 0)
        settings.connections.stalled = .seconds(4)
        try await expect("slow-reader", settings, seconds: 4)
    }

    @Test(
        "A TLS connection that takes too long is closed",
        arguments: ["silent", "handshake", "http2-silent", "http2-pings"]
    )
    func secure(behaviour: String) async throws {
        let files = try await TLSFiles()
        var settings = ServerSettings(port: 0, certificateFile: files.certificate, privateKeyFile: files.key)
        settings.connections = LiveConnectionTests.short
        try await expect(behaviour, settings)
    }

    @Test("Idle connections are closed for new ones, and slots are reserved for health checks")
    func crowd() async throws {
        var settings = ServerSettings(port: 0)
        settings.connections.most = 3
        settings.connections.perAddress = 100
        settings.connections.reserved = 2
        try await expect("crowd", settings)
    }

    @Test("The number of connections of one address is limited")
    func address() async throws {
        var settings = ServerSettings(port: 0)
        settings.connections.most = 100
        settings.connections.perAddress = 4
        try await expect("one-address", settings)
    }

    @Test("The address of a trusted proxy has no separate limit")
    func proxy() async throws {
        var settings = ServerSettings(port: 0)
        settings.connections.most = 3
        settings.connections.perAddress = 1
        settings.connections.reserved = 2
        settings.trustedProxies = [try #require(IPNetwork("127.0.0.0/8"))]
        try await expect("crowd", settings)
    }

    @Test("Responses that HTTP/2 clients leave unread fill only a bounded part of the memory")
    func unread() async throws {
        let files = try await TLSFiles()
        var settings = ServerSettings(port: 0, certificateFile: files.certificate, privateKeyFile: files.key)
        settings.connections.unsentPerConnection = 2 << 20
        settings.connections.unsentPerAddress = 4 << 20
        try await expect("unread", settings)
    }

    @Test(
        "What a client has read does not count as unread, and one connection does not use up what its address may have"
    )
    func unreadOfOneConnection() async throws {
        let files = try await TLSFiles()
        var settings = ServerSettings(port: 0, certificateFile: files.certificate, privateKeyFile: files.key)
        settings.connections.unsentPerConnection = 2 << 20
        try await expect("unread-connection", settings)
    }

    @Test("The number of HTTP/2 streams of one address is limited")
    func streams() async throws {
        let files = try await TLSFiles()
        var settings = ServerSettings(port: 0, certificateFile: files.certificate, privateKeyFile: files.key)
        settings.connections.streamsPerAddress = 5
        settings.connections.unsentPerConnection = 64 << 20
        try await expect("streams", settings)
    }

    @Test("A client that reads nothing is disconnected early while many bytes are unread")
    func pressure() async throws {
        let files = try await TLSFiles()
        var settings = ServerSettings(port: 0, certificateFile: files.certificate, privateKeyFile: files.key)
        settings.connections.unsentPerAddress = 256 << 10
        settings.connections.stalledUnderPressure = .seconds(1)
        try await expect("pressure", settings)
    }

    @Test("A request of HTTP/1.1 states one valid host")
    func hosts() async throws {
        try await expect("hosts", ServerSettings(port: 0))
    }

    @Test("A request of HTTP/2 states one valid host, and no other one")
    func hostsOfStreams() async throws {
        let files = try await TLSFiles()
        try await expect(
            "http2-hosts",
            ServerSettings(port: 0, certificateFile: files.certificate, privateKeyFile: files.key)
        )
    }

    @Test("A shutdown does not wait for silent connections")
    func stop() async throws {
        let fixture = try await ServiceFixture()
        let files = try await TLSFiles()
        let settings = ServerSettings(port: 0, certificateFile: files.certificate, privateKeyFile: files.key)
        let (ports, ready) = AsyncStream.makeStream(of: Int.self)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let server = JournalServer(fixture.journal, settings, logger: logger) { ready.yield($0) }
        let group = ServiceGroup(configuration: ServiceGroupConfiguration(services: [server], logger: logger))
        async let stopped: Void = group.run()
        let port = try #require(await ports.first { _ in true })
        async let held = run("python3", [LiveConnectionTests.script, "hold", "\(port)"])
        try await Task.sleep(for: .seconds(1))
        let start = ContinuousClock.now
        await group.triggerGracefulShutdown()
        try await stopped
        #expect(ContinuousClock.now - start < .seconds(6))
        let outcome = try await held
        #expect(outcome.status == 0, "\(outcome.message)")
    }

    @Test("A connection that is never handled is closed when its value is released")
    func unhandled() async throws {
        let register = ConnectionRegister(ConnectionLimits())
        let channel = NIOAsyncTestingChannel()
        let guarded = GuardedChannel(
            base: HTTP1Channel(responder: { _, _, _ in }),
            register: register,
            limits: ConnectionLimits()
        )
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        do {
            let connection = try await channel.testingEventLoop
                .flatSubmit { guarded.setup(channel: channel, logger: logger) }
                .get()
            #expect(connection.channel === channel)
            #expect(register.count == 1)
        }
        await channel.testingEventLoop.run()
        try await channel.closeFuture.get()
        #expect(register.count == 0)
    }

    @Test(
        "Default limits follow from the file descriptors, and one address gets a quarter of the connections"
    )
    func limits() {
        var limits = ConnectionLimits()
        #expect(limits.resolved.most >= 64)
        limits.most = 144
        #expect(limits.resolved == (144, 36))
        limits.most = 20_000
        #expect(limits.resolved.perAddress == 256)
        limits.perAddress = 7
        #expect(limits.resolved.perAddress == 7)
    }

    private func expect(_ behaviour: String, _ settings: ServerSettings, seconds: Int = 1) async throws {
        let fixture = try await ServiceFixture()
        let outcome = try await fixture.live(settings) { port in
            try await run("python3", [LiveConnectionTests.script, behaviour, "\(port)", "\(seconds)"])
        }
        #expect(outcome.status == 0, "\(outcome.text)\(outcome.message)")
    }

    static let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "connections.py")
        .path

    private static var short: ConnectionLimits {
        var limits = ConnectionLimits()
        limits.opening = .seconds(1)
        limits.idle = .seconds(1)
        limits.stalled = .seconds(1)
        return limits
    }
}
