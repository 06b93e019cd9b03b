import Interchange
import TestSupport

/// The program `healthjournal-replay`, run in a process of its own as a user runs it.
struct Tool {
    let journal: String
    var key: String?
    var environment: [String: String] = [:]
    /// Whether the journal and its key are passed as arguments; off for commands that need no journal.
    var namesJournal = true

    init(_ house: Household, journal: String? = nil) {
        self.journal = journal ?? house.path
        key = house.keyPath
    }

    private static let path = ChildProcess.shipped("healthjournal-replay")

    func run(_ arguments: String...) throws -> Outcome { try run(arguments) }

    func run(_ arguments: [String]) throws -> Outcome {
        try Outcome(of: Tool.path, whole(arguments), variables: variables)
    }

    /// Starts the program without waiting for its end.
    func start(_ arguments: String..., isHeard: Bool = true) throws -> ChildProcess {
        try ChildProcess(program: Tool.path, whole(arguments), variables: variables, messages: .kept, isHeard: isHeard)
    }

    private func whole(_ arguments: [String]) -> [String] {
        let place = ["--journal", journal] + (key.map { ["--master-key-file", $0] } ?? [])
        return arguments + (namesJournal ? place : [])
    }

    private var variables: [String: String] {
        ["HEALTHJOURNAL_MAP_SIZE": String(Household.mapSize), "HOME": "/nonexistent"]
            .merging(environment) { $1 }
            .merging(SanitizerSettings.variables) { own, _ in own }
    }
}

extension Outcome {
    /// The output as JSON, one value per line.
    var lines: [JSONValue] {
        get throws { try text.split(separator: "\n").map { try JSONReader.read(Array($0.utf8)) } }
    }

    /// The output as one JSON value.
    var json: JSONValue {
        get throws { try JSONReader.read(output) }
    }
}

extension JSONValue {
    var string: String? { if case .string(let text) = self { text } else { nil } }
    var number: String? { if case .number(let text) = self { text } else { nil } }
    var items: [JSONValue] { if case .array(let items) = self { items } else { [] } }

    /// The changes of a row, each in the form `value: 72.5 → 72.4`.
    var changes: [String] {
        (self["changes"]?.items ?? [])
            .map { change in
                "\(change["field"]?.string ?? "?"): \(change["before"]?.string ?? "–") → \(change["after"]?.string ?? "–")"
            }
    }
}
