import Foundation
import HTTPTypes
import HealthJournal
import HealthModel
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

    /// Reads a search; nil is all types.
    static func search(of type: String?, _ parameters: [FHIRSearch.Parameter]) throws -> FHIRSearch {
        if let format = parameters.last(where: { $0.name == "_format" })?.value,
            !["json", "application/json", FHIRAnswers.mediaType].contains(format)
        {
            throw FHIRProblem.notAcceptable
        }
        do {
            return try FHIRSearch(of: type, parameters.filter { $0.name != "_format" })
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
