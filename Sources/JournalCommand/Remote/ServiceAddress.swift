import ArgumentParser
import Foundation
import HealthJournal

/// Where a service is, by which token it is asked, and whom to take its word from.
struct ServiceAddress {
    /// The scheme, the host and what else stands before the first of our own paths.
    let base: String
    let token: String
    /// A PEM file of certificates to trust besides the system's.
    let certificateFile: String?

    init(_ url: String, _ options: ServiceOptions) throws {
        guard let parts = URLComponents(string: url), let scheme = parts.scheme?.lowercased(),
            ["http", "https"].contains(scheme), let host = parts.host, !host.isEmpty
        else {
            throw ValidationError("--url takes the address of a service, as https://journal.example.org:8420")
        }
        guard parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil else {
            throw ValidationError("--url takes an address alone: no names, passwords or parameters")
        }
        guard scheme == "https" || ServiceAddress.isLoopback(host) || options.allowsPlainHTTP else {
            throw ValidationError(
                """
                over plain HTTP whoever is between reads along and takes the token: give an https:// address, \
                or --insecure-http if nobody is between
                """
            )
        }
        base = url.hasSuffix("/") ? String(url.dropLast()) : url
        token = try ServiceAddress.token(options)
        certificateFile = options.certificateFile
    }

    /// An address for a message: without whatever stands before an @.
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

    private static func token(_ options: ServiceOptions) throws -> String {
        if options.token != nil, options.tokenFile != nil {
            throw ValidationError("give --token or --token-file, not both")
        }
        var found = options.token
        if let file = options.tokenFile {
            let bytes = try BoundedFile.read(file, atMost: longestFile)
            found = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        }
        let token = (found ?? Environment.value("HEALTHJOURNAL_TOKEN") ?? "").trimmingCharacters(in: .whitespaces)
        guard !token.isEmpty else {
            throw ValidationError(
                """
                say who acts: set $HEALTHJOURNAL_TOKEN or give --token-file; whoever runs the journal makes a token \
                with: healthjournal token issue ACCOUNT --scope full
                """
            )
        }
        guard token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw ValidationError("what was given as the token is none: a token is one word, as hj_…")
        }
        return token
    }

    private static let longestFile = 64 << 10
}
