import Foundation
import Interchange
import TestSupport
import Testing

/// A running service with its own journal, and a tool that has only the service's address and a token.
final class LiveService: Sendable {
    /// The tool that opens the journal's folder.
    let local: CommandLineTool
    /// The tool without a journal, as on another machine.
    let elsewhere: CommandLineTool
    let url: String
    /// A token of the owner with the full scope.
    let token: String
    private let process: BackgroundProgram

    convenience init(_ arguments: String..., scheme: String = "http") throws {
        let local = try CommandLineTool()
        let token = try local.json("token", "issue", "owner", "--scope", "full").string("token")
        try self.init(local, token, arguments, scheme: scheme)
    }

    /// Starts a service on the journal of a tool, which may have had one before.
    init(_ local: CommandLineTool, _ token: String, _ arguments: [String] = [], scheme: String = "http") throws {
        (self.local, self.token) = (local, token)
        elsewhere = try CommandLineTool(hasJournal: false)
        process = try local.background(CommandLineTool.executable, ["serve", "--port", "0"] + arguments)
        let port = try #require(process.firstLine.split(separator: ":").last)
        url = "\(scheme)://127.0.0.1:\(port)"
    }

    /// Kills the service, and waits for its end.
    func kill() { process.kill() }

    /// Runs a command through the service.
    @discardableResult
    func run(
        _ arguments: [String],
        token: String? = nil,
        at url: String? = nil,
        input: [UInt8] = []
    ) throws -> Outcome {
        let file = try elsewhere.write((token ?? self.token) + "\n", to: "token-\(UUID().uuidString)")
        return try elsewhere.run(arguments + ["--url", url ?? self.url, "--token-file", file], input: input)
    }

    @discardableResult
    func run(_ arguments: String...) throws -> Outcome { try run(arguments) }

    @discardableResult
    func json(_ arguments: String...) throws -> JSONValue {
        try run(arguments + ["--format", "json"]).succeeded().json
    }

    /// Runs a command on the folder and through the service, whose results must be equal byte for byte.
    func expectAlike(_ arguments: String..., location: SourceLocation = #_sourceLocation) throws {
        for format in ["table", "json"] {
            let here = try local.run(arguments + ["--format", format])
            let there = try run(arguments + ["--format", format])
            #expect(there.status == here.status, "\(arguments): \(there.message)", sourceLocation: location)
            // The service knows exactly when a token was last used; another process, within a day.
            let lastUse = /,\s*"lastUsedAt": "[^"]*"/
            #expect(
                there.text.replacing(lastUse, with: "") == here.text.replacing(lastUse, with: ""),
                "\(arguments)",
                sourceLocation: location
            )
            #expect(there.message == here.message, "\(arguments)", sourceLocation: location)
        }
    }
}
