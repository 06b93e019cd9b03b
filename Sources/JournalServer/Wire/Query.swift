import Foundation
import HealthJournal
import HealthModel
import Hummingbird

/// The parameters of a request's address.
///
/// One that the route does not take is refused: a mistyped `asof` must not show today's record for that of then.
struct Query {
    private let values: [String: String]

    init(_ request: Request, _ allowed: [String]) throws {
        var values: [String: String] = [:]
        // Read as it came: what a framework decoded cannot be told from what is to be decoded yet.
        for part in (request.uri.query ?? "").split(separator: "&") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Query.decoded(pair[0]), allowed.contains(name) else {
                let names = allowed.isEmpty ? "none are" : "\(allowed.joined(separator: ", ")) are"
                throw Problem(
                    "invalid",
                    .badRequest,
                    "is no parameter here; \(names)",
                    field: String(pair[0].prefix(40))
                )
            }
            guard let value = Query.decoded(pair.count > 1 ? pair[1] : "") else {
                throw Problem("invalid", .badRequest, "is not well encoded", field: name)
            }
            guard value.isNoLonger(than: Query.maximumLength) else {
                throw Problem(
                    "invalid",
                    .badRequest,
                    "is longer than the \(Query.maximumLength) characters that an address has room for",
                    field: name
                )
            }
            guard values.updateValue(value.withUnixLineBreaks, forKey: name) == nil else {
                throw Problem("invalid", .badRequest, "is given twice", field: name)
            }
        }
        self.values = values
    }

    /// In a request's first line there is no room for more, in many a proxy for less.
    static let maximumLength = 2_000

    private static func decoded(_ text: Substring) -> String? {
        // Most need none of it, and it is not cheap.
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "%") }) else {
            return String(text)
        }
        return String(text.map { $0 == "+" ? " " : $0 }).removingPercentEncoding
    }

    subscript(name: String) -> String? { values[name] }

    /// A value that a parser reads; its error names the parameter.
    func value<Value>(_ name: String, _ parse: (String) throws(ModelError) -> Value) throws -> Value? {
        guard let text = values[name] else { return nil }
        do {
            return try parse(text)
        } catch {
            throw JournalError(.invalid, field: name, error.message)
        }
    }

    var asOf: AsOf? { get throws { try value("asOf") { text throws(ModelError) in try AsOf(parsing: text) } } }

    var happenedBy: Day? {
        get throws { try value("happenedBy") { text throws(ModelError) in try Day(parsing: text) } }
    }

    /// The id that something new is to have.
    var id: UUID? {
        get throws {
            try value("id") { text throws(ModelError) in
                guard let id = UUID(uuidString: text) else { throw ModelError(.invalid, "must be a UUID") }
                return id
            }
        }
    }

    /// The name of a stream of other tools' events.
    var stream: String? {
        get throws {
            try value("stream") { text throws(ModelError) in
                try JournalEvent.check(streamName: text)
                return text
            }
        }
    }

    /// The page that is asked for.
    var page: Page {
        get throws {
            let limit = try integer("limit", in: 1...Paging.maximum) ?? Paging.usual
            return Page(after: UInt64(try integer("cursor", in: 0...Int.max) ?? 0), limit: limit)
        }
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
            // Digits alone: `Int` would read a sign, too.
            guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text), range.contains(number)
            else {
                throw ModelError(.invalid, "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
            }
            return number
        }
    }
}

/// How long a page is.
enum Paging {
    static let usual = 100
    static let maximum = 1_000
}
