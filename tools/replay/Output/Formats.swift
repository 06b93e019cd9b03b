import ArgumentParser
import Foundation
import Interchange

/// The output format of a list.
enum ListFormat: String, ExpressibleByArgument, CaseIterable {
    case table
    case json
}

/// The output format of a trail.
enum TrailFormat: String, ExpressibleByArgument, CaseIterable {
    case table
    case json
    case csv
    case html
}

extension ReplayOutput {
    var style: TextStyle {
        TextStyle(
            environment: ProcessInfo.processInfo.environment,
            isTerminal: isTerminal,
            columns: columns,
            isWide: isWide
        )
    }

    func table(_ table: TextTable) throws {
        try write(table.text(style))
    }

    func json(_ value: JSONValue, _ style: JSONWriter.Style = .pretty) throws {
        try line(JSONWriter.text(value, style))
    }
}

extension JSONValue {
    /// Creates an object from the members that have a value.
    static func members(_ members: (String, JSONValue?)...) -> JSONValue {
        .object(members.compactMap { name, value in value.map { Member(name, $0) } })
    }

    /// The text as a JSON string, or null.
    static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
}
