import Foundation
import Interchange
import TestSupport
import Testing

/// A record in a new journal, for tests of the commands on plans and doses.
struct PlanFixture {
    let tool: CommandLineTool
    let record: String

    init(_ variables: [String: String] = [:]) throws {
        tool = try CommandLineTool(hasJournal: false, variables)
        try tool.run("init", "--zone", "Europe/Zurich").succeeded()
        record = try tool.person()
    }

    /// Adds a plan, and returns its id.
    func plan(_ arguments: String...) throws -> String {
        try tool.run(["plan", "add", record] + arguments + ["--format", "json"]).succeeded().json.string("entry")
    }

    func due(_ from: String, _ to: String, _ more: String...) throws -> [JSONValue] {
        try tool.run(["due", record, "--from", from, "--to", to, "--format", "json"] + more).succeeded().json.items
    }

    func column(_ name: String, of doses: [JSONValue]) throws -> [String] {
        try doses.map { try $0.string(name) }
    }

    /// Returns a number of the adherence in a period.
    func total(_ name: String, _ from: String, _ to: String, _ more: String...) throws -> JSONValue? {
        let period = ["--from", from, "--to", to, "--format", "json"]
        return try tool.run(["adherence", record] + period + more).succeeded().json["total"]?[name]
    }

    /// Returns the entry of a medication.
    func entry(_ plan: String) throws -> JSONValue {
        let listed = try tool.json("entry", "list", record, "drug").items
        return try #require(try listed.first { try $0.string("id") == plan })
    }
}
