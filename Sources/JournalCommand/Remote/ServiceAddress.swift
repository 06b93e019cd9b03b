import ArgumentParser
import Foundation
import HealthJournal

/// The address of a service, the token to authenticate with, and the certificates to trust.
struct ServiceAddress {
    /// The scheme, the host and everything else before `/v1`.
    let base: String
    let token: String
    /// A PEM file of certificates to trust besides the system's.
    let certificateFile: String?

    init(_ url: String, _ options: LocationOptions) throws {
        guard let parts = URLComponents(string: url), let scheme = parts.scheme?.lowercased(),
            ["http", "https"].contains(scheme), let host = parts.host, !host.isEmpty
        else {
            throw ValidationError("--url must be the address of a service, such as https://journal.example.org:8420")
        }
        guard parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil else {
            throw ValidationError("--url must be an address alone: no names, passwords or parameters")
        }
        guard scheme == "https" || ServiceAddress.isLoopback(host) || options.allowsPlainHTTP else {
            throw ValidationError(
                """
                over plain HTTP the data and the token can be read on the network: give an https:// address, \
                or --insecure-http if the network is trusted
                """
            )
        }
        base = url.hasSuffix("/") ? String(url.dropLast()) : url
        token = try ServiceAddress.token(options)
        certificateFile = options.certificateFile
    }

    /// An address for a message, without everything before an `@`.
    static func shown(_ url: String) -> String {
        let rest = url.split(separator: "@", maxSplits: 1).last ?? ""
        return rest.count == url.count ? url : "…@\(rest)"
    }

    private static func isLoopback(_ host: String) -> Bool {
        let host = host.trimmingCharacters(in: ["[", "]"]).lowercased()
        if ["localhost", "::1"].contains(host) { return true }
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return numbers.count == 4 && numbers[0] == 127 && !numbers.contains(nil)
    }

    private static func token(_ options: LocationOptions) throws -> String {
        if options.token != nil, options.tokenFile != nil {
            throw ValidationError("give --token or --token-file, not both")
        }
        var found = options.token
        if let file = options.tokenFile {
            let bytes = try BoundedFile.read(file, atMost: longestFile)
            found = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        }
        let token = (found ?? ProcessEnvironment.value("HEALTHJOURNAL_TOKEN") ?? "")
            .trimmingCharacters(in: .whitespaces)
        guard !token.isEmpty else {
            throw ValidationError(
                """
                a token is required: set $HEALTHJOURNAL_TOKEN or give --token-file; an administrator of the journal \
                issues one with: healthjournal token issue ACCOUNT --scope full
                """
            )
        }
        guard token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw ValidationError("the given token is malformed: a token is one word, such as hj_…")
        }
        return token
    }

    private static let longestFile = 64 << 10
}
