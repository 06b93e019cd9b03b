import Foundation
import HealthJournal
import HealthModel
import Hummingbird

/// The query parameters of a request.
///
/// An unknown parameter is rejected: with a mistyped `asof`, the service would return the present state instead of an
/// earlier one.
struct Query {
    private let values: [String: String]
    private let allowed: [String]

    /// A query whose parameters are ignored.
    init() { (values, allowed) = ([:], []) }

    init(_ request: Request, _ allowed: [String]) throws {
        var values: [String: String] = [:]
        // Reads the raw query, because decoded text cannot be distinguished from text that is still encoded.
        for part in (request.uri.query ?? "").split(separator: "&") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Query.decoded(pair[0]), allowed.contains(name) else {
                throw Problem(
                    "invalid",
                    .badRequest,
                    allowed.isEmpty
                        ? "is not a parameter here; there are none"
                        : "is not a parameter here; the parameters are \(allowed.joined(separator: ", "))",
                    field: String(pair[0].prefix(40))
                )
            }
            guard let value = Query.decoded(pair.count > 1 ? pair[1] : "") else {
                throw Problem("invalid", .badRequest, "is not correctly encoded", field: name)
            }
            guard value.utf8.count <= Query.maximumLength else {
                throw Problem(
                    "invalid",
                    .badRequest,
                    "is longer than \(Query.maximumLength) bytes",
                    field: name
                )
            }
            guard values.updateValue(value, forKey: name) == nil else {
                throw Problem("invalid", .badRequest, "is given twice", field: name)
            }
        }
        (self.values, self.allowed) = (values, allowed)
    }

    /// The largest size of a value in bytes of UTF-8, after percent-decoding.
    ///
    /// A request line has no room for more, and in many proxies for less.
    static let maximumLength = 2_000

    static func decoded(_ text: Substring) -> String? {
        // Most values need no decoding, which is slow.
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "%") }) else {
            return String(text)
        }
        return String(text.map { $0 == "+" ? " " : $0 }).removingPercentEncoding
    }

    /// The value of a parameter, which must be one of those that the request may have.
    subscript(name: String) -> String? {
        assert(allowed.contains(name), "the parameter \(name) is read but not declared")
        return values[name]
    }

    /// The name of the completed action that a page is to mention; nil if there is none, or no such parameter.
    var done: String? { values["done"] }

    subscript(parameter: Parameter) -> String? { self[parameter.name] }

    /// Parses a value; an error names the parameter.
    func value<Value>(_ parameter: Parameter, _ parse: (String) throws(ModelError) -> Value) throws -> Value? {
        try value(parameter.name, parse)
    }

    /// Parses a value; an error names the parameter.
    func value<Value>(_ name: String, _ parse: (String) throws(ModelError) -> Value) throws -> Value? {
        guard let text = self[name] else { return nil }
        do {
            return try parse(text)
        } catch {
            throw JournalError(.invalid, field: name, error.text)
        }
    }

    var asOf: AsOf? { get throws { try value(.asOf) { text throws(ModelError) in try AsOf(parsing: text) } } }

    /// The moment whose state is read, and the days on which the selected entries had happened.
    var readOptions: ReadOptions {
        get throws {
            let options = ReadOptions(
                asOf: try asOf,
                happenedFrom: try value(.happenedFrom) { text throws(ModelError) in
                    try PartialDate(parsing: text).firstDay
                },
                happenedBy: try value(.happenedBy) { text throws(ModelError) in try PartialDate(parsing: text).lastDay }
            )
            try options.period.check(field: Parameter.happenedBy.name)
            return options
        }
    }

    /// The value of `kinds`, names separated by commas; nil for all kinds.
    var kinds: [Kind]? {
        get throws {
            try value(.kinds) { text throws(ModelError) in
                try text.split(separator: ",", omittingEmptySubsequences: false)
                    .map { name throws(ModelError) in
                        guard let kind = Kind.named(String(name)) else {
                            throw ModelError(.invalid, "must be names of kinds of entries, such as drug,allergy")
                        }
                        return kind
                    }
            }
        }
    }

    /// The value of `currency`, an ISO 4217 code.
    var currency: String? {
        get throws {
            try value(.currency) { text throws(ModelError) in
                guard text.utf8.count == 3, text.allSatisfy({ $0.isASCII && $0.isLetter }) else {
                    throw ModelError(.invalid, "must be three letters, such as EUR")
                }
                return text
            }
        }
    }

    /// The id for the new object.
    var id: UUID? {
        get throws {
            try value(.newEntry) { text throws(ModelError) in
                guard let id = UUID(uuidString: text) else { throw ModelError(.invalid, "must be a UUID") }
                return id
            }
        }
    }

    /// The name of an external event stream.
    var stream: String? {
        get throws {
            try value(.stream) { text throws(ModelError) in
                try JournalEvent.check(streamName: text)
                return text
            }
        }
    }

    /// The requested page.
    var page: Page {
        get throws {
            let limit = try integer(.limit) ?? Paging.usual
            return Page(after: UInt64(try integer(Parameter.cursor.name, in: 0...Int.max) ?? 0), limit: limit)
        }
    }

    func flag(_ parameter: Parameter) throws -> Bool { try flag(parameter.name) }

    /// A short text without control characters.
    func text(_ parameter: Parameter) throws -> String? {
        try value(parameter) { text throws(ModelError) in
            try TextCheck.check(text, field: parameter.name, maximum: Limits.line)
            return text
        }
    }

    /// A whole number in the range that the parameter declares.
    func integer(_ parameter: Parameter) throws -> Int? {
        guard let range = parameter.range else { preconditionFailure("the parameter declares no range") }
        return try integer(parameter.name, in: range)
    }

    /// A whole number in the range that the parameter declares; throws if it is missing.
    func required(_ parameter: Parameter) throws -> Int {
        guard let number = try integer(parameter) else {
            throw JournalError(.invalid, field: parameter.name, "is required")
        }
        return number
    }

    func flag(_ name: String) throws -> Bool {
        try value(name) { text throws(ModelError) in
            switch text {
            case "true": true
            case "false": false
            default: throw ModelError(.invalid, "must be true or false")
            }
        } ?? false
    }

    func integer(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
        try value(name) { text throws(ModelError) in
            // Digits only: `Int` would also accept a sign.
            guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text), range.contains(number)
            else {
                throw ModelError(.invalid, "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
            }
            return number
        }
    }
}

/// The number of items on a page.
enum Paging {
    static let usual = 100
    static let maximum = 1_000
}
