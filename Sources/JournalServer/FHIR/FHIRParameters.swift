import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange

/// The parameters of a search as they come in an address or in a form; a name may come several times.
enum FHIRParameters {
    /// The maximum number of parameters.
    private static let maximum = 50

    static func parse(_ query: String) throws -> [FHIRSearch.Parameter] {
        let pairs = query.split(separator: "&")
        guard pairs.count <= maximum else { throw JournalError(.invalid, "there are more than \(maximum) parameters") }
        return try pairs.map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Query.decoded(parts[0]), let value = Query.decoded(parts.count > 1 ? parts[1] : "") else {
                throw JournalError(.invalid, "a parameter is not correctly encoded")
            }
            guard value.utf8.count <= Query.maximumLength else {
                throw JournalError(.invalid, "a value is longer than \(Query.maximumLength) bytes")
            }
            return (name, value)
        }
    }

    /// Reads a search for a type, nil for all types, perhaps within the compartment of a Patient.
    static func search(
        of type: String?,
        in compartment: UUID? = nil,
        _ parameters: [FHIRSearch.Parameter],
        _ request: Request,
        servers: [String]
    ) throws -> FHIRSearch {
        if let format = parameters.last(where: { $0.name == "_format" })?.value, !FHIRFormat.isJSON(format) {
            throw FHIRProblem.notAcceptable
        }
        return try reporting { () throws(FHIRSearch.Fault) in
            try FHIRSearch(of: type, in: compartment, parameters, handling: request.handling, servers: servers)
        }
    }

    /// Reads which parts of a resource a read wants.
    static func subset(_ request: Request) throws -> FHIRSubset {
        let parameters = try parse(request.uri.query ?? "")
        return try reporting { () throws(FHIRSearch.Fault) in try FHIRSubset(parameters, ofRead: true) }
    }

    private static func reporting<Value>(_ read: () throws(FHIRSearch.Fault) -> Value) throws -> Value {
        do {
            return try read()
        } catch {
            throw Problem(
                error.isUnsupported ? "not-supported" : "invalid",
                .badRequest,
                Message(verbatim: error.message),
                field: error.parameter
            )
        }
    }
}

extension Request {
    /// What the header `Prefer` wants to happen with parameters that are not supported (RFC 7240, section 4.4).
    fileprivate var handling: FHIRSearch.Handling {
        let wishes = HTTPField.Name("Prefer").map { headers[values: $0] } ?? []
        for wish in wishes.flatMap({ $0.split { $0 == "," || $0 == ";" } }) {
            let parts = wish.split(separator: "=", maxSplits: 1)
                .map { String($0).trimming(\.isWhitespace).lowercased() }
            guard parts.count == 2, parts[0] == "handling" else { continue }
            // The first one counts; an unknown one is as if it were absent.
            return FHIRSearch.Handling(preferred: parts[1].trimming { $0 == "\"" }) ?? .usual
        }
        return .usual
    }
}

extension FHIRSearch.Handling {
    fileprivate init?(preferred text: String) {
        switch text {
        case "strict": self = .strict
        case "lenient": self = .lenient
        default: return nil
        }
    }
}
