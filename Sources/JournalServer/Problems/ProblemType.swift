import HTTPTypes

/// The kinds of problems that the service answers with; each keeps its name and its status for ever.
enum ProblemType: String, CaseIterable {
    case invalid
    case malformed
    case unauthenticated
    case refused
    case foreignPage = "foreign-page"
    case notFound = "not-found"
    case method
    case slow
    case conflict
    case erased
    case stale
    case tooLarge = "too-large"
    case mediaType = "media-type"
    case busy
    case failed
    case notInstalled = "not-installed"

    var status: HTTPResponse.Status {
        switch self {
        case .invalid, .malformed: .badRequest
        case .unauthenticated: .unauthorized
        case .refused, .foreignPage: .forbidden
        case .notFound: .notFound
        case .method: .methodNotAllowed
        case .slow: .requestTimeout
        case .conflict: .conflict
        case .erased: .gone
        case .stale: .preconditionFailed
        case .tooLarge: .contentTooLarge
        case .mediaType: .unsupportedMediaType
        case .busy: .tooManyRequests
        case .failed: .internalServerError
        case .notInstalled: .notImplemented
        }
    }

    /// What it means, and what whoever asked can do.
    var meaning: String {
        switch self {
        case .invalid: "A value cannot be taken; `field` says which, `detail` why. Mend it and send the request again."
        case .malformed: "The request is no HTTP that can be read."
        case .unauthenticated: "Nothing showed who asks, or what showed it is not valid (any more)."
        case .refused: "The account, or the scope of its token, does not reach so far. The attempt is on record."
        case .foreignPage: "A browser's session may be used by the service's own pages alone."
        case .notFound: "There is nothing at this address."
        case .method:
            "There is something at this address, which cannot be done with this method; `Allow` says which can."
        case .slow: "The request's body did not come in time."
        case .conflict: "It does not go with what the journal holds; `detail` says with what."
        case .erased: "What is asked for was erased, and cannot be brought back by anybody."
        case .stale: "It was changed since the state that `If-Match` names: look at it again, then repeat."
        case .tooLarge: "The request's body is too large."
        case .mediaType: "The body's `Content-Type` is not one that is taken here."
        case .busy: "Too much is waiting. The same request may pass after as many seconds as `Retry-After` says."
        case .notInstalled: "What it takes is not installed where the journal runs; `detail` says what."
        case .failed: "The journal could not do it. Whoever runs the service finds the reason in its log."
        }
    }

    var urn: String { Problem.typePrefix + rawValue }
}
