import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange

/// What goes wrong in reading FHIR, besides what can go wrong everywhere.
enum FHIRProblem {
    static let deleted = Problem("deleted", .gone, "the entry was retracted; its versions are at _history")
    static let noVersion = Problem("not-found", .notFound, "there is no such version")
    static let patientVersions = Problem(
        "not-supported",
        .badRequest,
        "versions of a Patient are not served: read it below /fhir/at/ and a moment"
    )
    static let noPatient = Problem(
        "required",
        .badRequest,
        "names the record that is searched, such as Patient/0190…; GET Patient lists those that you may see",
        field: "patient"
    )
    static let noTarget = Problem(
        "required",
        .badRequest,
        "names the resource whose changes are wanted, such as Observation/0190…",
        field: "target"
    )
    static let notAcceptable = Problem(
        "not-supported",
        .notAcceptable,
        "resources are served as JSON alone (\(FHIRAnswers.mediaType))"
    )
}

extension Problem {
    /// The problem as a client of FHIR expects it.
    var outcome: Response {
        // https://hl7.org/fhir/R4/valueset-issue-type.html
        let code =
            switch slug {
            case "not-found", "deleted", "not-supported", "required": slug
            case "erased": "deleted"
            case "unauthenticated": "login"
            case "refused", "subscription-expired", "foreign-page": "forbidden"
            case "busy", "catching-up", "outdated": "transient"
            case "insufficient-storage": "no-store"
            case "failed": "exception"
            default: "invalid"
            }
        var response = Response(FHIRAnswers.outcome(code, text.description, at: field), status: status, type: .fhir)
        response.headers.append(contentsOf: headers)
        return response
    }
}

/// Answers clients that do not take JSON with 406.
struct FHIRAnswerMiddleware: RouterMiddleware {
    func handle(
        _ request: Request,
        context: ServerContext,
        next: @concurrent (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        // The file of a document has any type, unless the address asks for a format.
        let isFile = try context.parameters.get("type") == "Binary" && FHIRFormat.requested(by: request) == nil
        guard try isFile || FHIRFormat.isAccepted(by: request) else { throw FHIRProblem.notAcceptable }
        return try await next(request, context)
    }
}
