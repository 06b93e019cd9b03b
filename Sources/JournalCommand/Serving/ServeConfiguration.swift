import ArgumentParser
import Configuration
import Foundation
import JournalPages
import JournalServer
import Platform
import SystemPackage

/// The sources of the service's settings: command-line flags, then the environment, then a file.
struct ServeConfiguration {
    private let reader: ConfigReader

    /// Reads the settings; `flags` contains those that were given, and a file that is named must exist.
    init(flags: [AbsoluteConfigKey: ConfigValue], file: String?, environment: [String: String]) async throws {
        var providers: [any ConfigProvider] = [
            InMemoryProvider(name: "flags", values: flags),
            EnvironmentVariablesProvider(environmentVariables: environment).prefixKeys(with: "healthjournal"),
        ]
        if let file = file ?? environment["HEALTHJOURNAL_CONFIG"] {
            do {
                providers.append(try await FileProvider<JSONSnapshot>(filePath: FilePath(file)))
            } catch {
                throw ValidationError("\(file) cannot be read as a JSON object of settings")
            }
        }
        reader = ConfigReader(providers: providers)
    }

    func settings() throws -> ServerSettings {
        let usual = ServerSettings()
        var settings = ServerSettings(
            host: reader.string(forKey: "host", default: usual.host),
            port: try port() ?? usual.port,
            certificateFile: reader.string(forKey: "tls.certificate"),
            privateKeyFile: reader.string(forKey: "tls.key"),
            allowsPlainHTTP: reader.bool(forKey: "allowPlainHTTP", default: false),
            openID: openID
        )
        settings.requiresSubscriptions = reader.bool(forKey: "requireSubscription", default: false)
        settings.publishesLog = reader.bool(forKey: "publicLog", default: false)
        if let minutes = try count("idleMinutes", from: 0), minutes > 0 {
            settings.idleSessions = .seconds(minutes * 60)
        }
        settings.connections.most = try count("connections")
        settings.connections.perAddress = try count("connectionsPerAddress")
        settings.publicURL = reader.string(forKey: "publicURL")
        settings.trustedProxies = try (reader.stringArray(forKey: "trustedProxies") ?? [])
            .map { text in
                guard let network = IPNetwork(text) else {
                    throw ValidationError("\(text) is not an address or a network, such as 192.0.2.1 or 192.0.2.0/24")
                }
                return network
            }
        settings.reminders.hosts = ReminderHosts(reader.stringArray(forKey: "reminderHosts") ?? [])
        settings.reminders.sendmail = reader.string(forKey: "reminderSendmail")
        settings.logsAddresses = reader.bool(forKey: "logAddresses", default: false)
        settings.metrics = try metrics()
        for path in reader.stringArray(forKey: "words") ?? [] { try settings.addWords(in: path) }
        if let name = reader.string(forKey: "proxyHeader") {
            guard let header = ProxyHeader(rawValue: name.lowercased()) else {
                let names = ProxyHeader.allCases.map(\.rawValue).joined(separator: " or ")
                throw ValidationError("the proxy's header must be \(names)")
            }
            settings.proxyHeader = header
        }
        // 0 means that there is no limit.
        if let rate = try count("readsPerSecond", from: 0) { settings.rates.readsPerSecond = rate > 0 ? rate : nil }
        if let rate = try count("writesPerSecond", from: 0) { settings.rates.writesPerSecond = rate > 0 ? rate : nil }
        if let rate = try count("refusalsPerMinute", from: 0) {
            settings.rates.refusalsPerMinute = rate > 0 ? rate : nil
        }
        if let objection = settings.objection { throw ValidationError(objection) }
        return settings
    }

    private func metrics() throws -> MetricsSettings {
        var settings = MetricsSettings()
        if let text = reader.string(forKey: "metricsListen") {
            guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
                (0...65_535).contains(port), colon > text.startIndex
            else { throw ValidationError("the address of the metrics must have a port, such as 127.0.0.1:9420") }
            settings.host = String(text[..<colon]).filter { !"[]".contains($0) }
            settings.port = port
        }
        if let path = reader.string(forKey: "metricsTokenFile") {
            do {
                let bytes = try DurableFile.read(path, atMost: 4_096, followsLinks: true)
                settings.token = String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace }
            } catch {
                throw ValidationError("\(path) cannot be read: \(error)")
            }
        }
        return settings
    }

    private var openID: OpenIDSettings? {
        let (issuer, audience, keys) = (
            reader.string(forKey: "oidc.issuer"), reader.string(forKey: "oidc.audience"),
            reader.string(forKey: "oidc.keys")
        )
        guard issuer != nil || audience != nil || keys != nil else { return nil }
        return OpenIDSettings(issuer: issuer ?? "", audience: audience ?? "", keyFile: keys)
    }

    private func port() throws -> Int? {
        // Also read as text, so that a variable that is not a number is refused and not ignored.
        guard let port = reader.int(forKey: "port") else {
            guard reader.string(forKey: "port") == nil else { throw ServeConfiguration.badPort }
            return nil
        }
        guard (0...65_535).contains(port) else { throw ServeConfiguration.badPort }
        return port
    }

    /// Returns a whole number; nil if the setting is absent.
    private func count(_ key: String, from least: Int = 1) throws -> Int? {
        guard let count = reader.int(forKey: ConfigKey(key)) else {
            guard reader.string(forKey: ConfigKey(key)) == nil else {
                throw ValidationError("\(key) must be a whole number")
            }
            return nil
        }
        guard (least...1_000_000).contains(count) else {
            throw ValidationError("\(key) must be from \(least) to 1000000")
        }
        return count
    }

    private static let badPort = ValidationError("the port must be a number from 0 to 65535")
}

extension ServerSettings {
    /// Adds the language of a file of texts.
    fileprivate mutating func addWords(in path: String) throws {
        do {
            try languages.add(DurableFile.read(path, atMost: 1 << 20, followsLinks: true))
        } catch let error as UnusableWords {
            throw ValidationError("\(path): \(error)")
        } catch let error as StorageError {
            throw ValidationError("\(path) cannot be read: \(error)")
        }
    }
}
