import Foundation
import Interchange
import TestSupport
import Testing

/// A replica of a live service's journal, with the tool that works on it, as on a device of its own.
struct PocketReplica {
    let tool: CommandLineTool
    let path: String
    private let tokenFile: String

    init(of service: LiveService, _ name: String, token: String? = nil) throws {
        tool = try CommandLineTool(hasJournal: false)
        path = tool.folder.path + "/replica"
        tokenFile = try tool.write((token ?? service.token) + "\n", to: "token")
        try tool.run(
            "replica",
            "init",
            path,
            "--url",
            service.url,
            "--token-file",
            tokenFile,
            "--name",
            name
        )
        .succeeded()
    }

    /// Runs a command on the replica, without a connection.
    @discardableResult
    func run(_ arguments: String...) throws -> Outcome { try tool.run(arguments + ["--journal", path]) }

    @discardableResult
    func json(_ arguments: String...) throws -> JSONValue {
        try tool.run(arguments + ["--journal", path, "--format", "json"]).succeeded().json
    }

    /// The arguments that connect to a service.
    func connection(to url: String) -> [String] { ["--url", url, "--token-file", tokenFile] }

    /// The arguments of a sync, at another address if the test is between.
    func syncing(at url: String? = nil, _ more: String...) -> [String] {
        ["sync", "--journal", path, "--token-file", tokenFile, "--format", "json"] + (url.map { ["--url", $0] } ?? [])
            + more
    }

    @discardableResult
    func sync(_ more: String...) throws -> JSONValue {
        try tool.run(syncing() + more).succeeded().json
    }

    var position: Int { get throws { try json("replica", "status").integer("position") } }
}

extension LiveService {
    /// Expects that a read shows the same on the service's folder and on replicas, byte for byte.
    func expectSame(
        _ replicas: [PocketReplica],
        _ arguments: [String],
        location: SourceLocation = #_sourceLocation
    ) throws {
        let position = try replicas.map { try $0.position }.min() ?? 0
        let read = arguments + ["--as-of", String(position), "--format", "json"]
        let here = try local.run(read).succeeded()
        for replica in replicas {
            let there = try replica.tool.run(read + ["--journal", replica.path])
            #expect(there.text == here.text, "\(arguments): \(there.message)", sourceLocation: location)
        }
    }

    /// Expects the same of all reads of a record.
    func expectSame(_ replicas: [PocketReplica], record: String, location: SourceLocation = #_sourceLocation) throws {
        for kind in ["drug", "dose", "weight"] {
            try expectSame(replicas, ["entry", "list", record, kind], location: location)
        }
        try expectSame(replicas, ["record", "show", record], location: location)
        let days = ["--from", "2026-03-01", "--to", "2026-03-08", "--now", "2026-03-08T12:00:00Z"]
        try expectSame(replicas, ["due", record] + days, location: location)
        try expectSame(replicas, ["adherence", record] + days, location: location)
    }
}
