import ArgumentParser
import Configuration
import Foundation
import JournalServer
import SystemPackage

/// Where the service's settings come from: its flags, else the environment, else a file.
struct ServeConfiguration {
    private let reader: ConfigReader

    /// `flags` are those that were given; a file that is named must be there.
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
        let settings = ServerSettings(
            host: reader.string(forKey: "host", default: usual.host),
            port: try port() ?? usual.port,
            certificateFile: reader.string(forKey: "tls.certificate"),
            privateKeyFile: reader.string(forKey: "tls.key"),
            allowsPlainHTTP: reader.bool(forKey: "allowPlainHTTP", default: false),
            openID: openID
        )
        if let objection = settings.objection { throw ValidationError(objection) }
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
        // As text where a variable holds it, so that what is no number is refused and not passed over.
        guard let port = reader.int(forKey: "port") else {
            guard reader.string(forKey: "port") == nil else { throw ServeConfiguration.badPort }
            return nil
        }
        guard (0...65_535).contains(port) else { throw ServeConfiguration.badPort }
        return port
    }

    private static let badPort = ValidationError("the port must be a number from 0 to 65535")
}
