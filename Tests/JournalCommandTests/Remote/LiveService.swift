import Foundation
import Interchange
import TestSupport
import Testing

/// The real service over a journal of its own, and the tool beside it that knows no more than its address and a token.
final class LiveService: Sendable {
    /// The tool on the journal's folder.
    let local: CommandLineTool
    /// The tool on another machine, as it were: here is no journal.
    let elsewhere: CommandLineTool
    let url: String
    /// A token of the owner with all rights.
    let token: String
    private let process: ChildProcess

    init(_ arguments: String..., scheme: String = "http") throws {
        local = try CommandLineTool()
        elsewhere = try CommandLineTool(hasJournal: false)
        token = try local.json("token", "issue", "owner", "--scope", "full").string("token")
        process = try local.start(CommandLineTool.executable, ["serve", "--port", "0"] + arguments)
        let port = try #require(process.readLine()?.split(separator: ":").last)
        url = "\(scheme)://127.0.0.1:\(port)"
    }

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

    /// Runs a command on the folder and through the service, both of which must come to the same to the byte.
    func expectAlike(_ arguments: String..., location: SourceLocation = #_sourceLocation) throws {
        for format in ["table", "json"] {
            let here = try local.run(arguments + ["--format", format])
            let there = try run(arguments + ["--format", format])
            #expect(there.status == here.status, "\(arguments): \(there.message)", sourceLocation: location)
            #expect(there.text == here.text, "\(arguments)", sourceLocation: location)
            #expect(there.message == here.message, "\(arguments)", sourceLocation: location)
        }
    }
}
