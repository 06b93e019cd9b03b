import ArgumentParser
import Foundation
import Interchange

/// How a list is shown.
enum ListFormat: String, ExpressibleByArgument, CaseIterable {
    case table
    case json
}

/// How a trail is shown.
enum TrailFormat: String, ExpressibleByArgument, CaseIterable {
    case table
    case json
    case csv
    case html
}

extension Output {
    var style: TextStyle {
        TextStyle(environment: ProcessInfo.processInfo.environment, isTerminal: isTerminal)
    }

    func table(_ table: TextTable) throws {
        try write(table.text(style))
    }

    func json(_ value: JSONValue, _ style: JSONWriter.Style = .pretty) throws {
        try line(JSONWriter.text(value, style))
    }
}

extension JSONValue {
    /// An object of those members that have a value.
    static func members(_ members: (String, JSONValue?)...) -> JSONValue {
        .object(members.compactMap { name, value in value.map { Member(name, $0) } })
    }

    /// The text, or null.
    static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
}
