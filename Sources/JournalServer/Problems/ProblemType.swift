import HTTPTypes

/// The kinds of problems that the service reports; the name and the status of each are stable.
enum ProblemType: String, CaseIterable {
    case invalid
    case malformed
    case unauthenticated
    case refused
    case subscriptionExpired = "subscription-expired"
    case foreignPage = "foreign-page"
    case notFound = "not-found"
    case method
    case slow
    case conflict
    case scheduleConflict = "schedule-conflict"
    case slotTaken = "slot-taken"
    case erased
    case stale
    case tooLarge = "too-large"
    case mediaType = "media-type"
    case busy
    case catchingUp = "catching-up"
    case outdated
    case failed
    case remoteFailed = "remote-failed"
    case notInstalled = "not-installed"
    case insufficientStorage = "insufficient-storage"

    var status: HTTPResponse.Status {
        switch self {
        case .invalid, .malformed: .badRequest
        case .unauthenticated: .unauthorized
        case .refused, .subscriptionExpired, .foreignPage: .forbidden
        case .notFound: .notFound
        case .method: .methodNotAllowed
        case .slow: .requestTimeout
        case .conflict, .scheduleConflict, .slotTaken: .conflict
        case .erased: .gone
        case .stale: .preconditionFailed
        case .tooLarge: .contentTooLarge
        case .mediaType: .unsupportedMediaType
        case .busy: .tooManyRequests
        case .catchingUp, .outdated: .serviceUnavailable
        case .failed: .internalServerError
        case .remoteFailed: .badGateway
        case .notInstalled: .notImplemented
        case .insufficientStorage: .insufficientStorage
        }
    }

    /// The meaning of the problem, and what the client can do about it.
    var meaning: String {
        switch self {
        case .invalid: "A value is invalid; `field` names it, `detail` gives the reason. Correct it and retry."
        case .malformed: "The request is not valid HTTP."
        case .unauthenticated: "The request has no credentials, or they are invalid, expired or revoked."
        case .refused: "The account or its token does not permit this. The attempt was recorded in the audit log."
        case .subscriptionExpired:
            "The subscription of the account is over: it can read, export and erase its data, but not change it. The "
                + "attempt was recorded in the audit log."
        case .foreignPage: "A browser's session may be used only by the service's own pages."
        case .notFound: "There is nothing at this address."
        case .method:
            "The address exists, but does not support this method; `Allow` lists those that it supports."
        case .slow: "The request's body did not arrive in time."
        case .conflict: "The request conflicts with the state of the journal; `detail` gives the reason."
        case .scheduleConflict:
            "The rules of a plan contradict each other, or a change of it reaches before its own moment; `field` names "
                + "the rule, `detail` gives the reason."
        case .slotTaken:
            "A specialist, the room or the patient is not free then: `field` says which, `taken` contains the time that "
                + "is in the way, `alternatives` what is free instead as of `position`. Nothing was changed."
        case .erased: "The requested data was erased, and nobody can restore it."
        case .stale: "It was changed after the state that `If-Match` names: read it again, then retry."
        case .tooLarge: "The request's body is too large."
        case .mediaType: "The body's `Content-Type` is not accepted here."
        case .busy: "The service is busy. Retry after the number of seconds in `Retry-After`."
        case .catchingUp:
            "A view that the request needs is being brought up to date, as after a power failure. Retry after the "
                + "number of seconds in `Retry-After`; `detail` gives the progress."
        case .outdated:
            "A newer version of the program has changed the journal. The administrator must restart the service in "
                + "that version; `detail` says what is newer."
        case .remoteFailed:
            "A machine outside did not answer, or did not accept what was sent; `detail` says what it answered. Nothing was "
                + "changed."
        case .notInstalled: "A program that the request needs is not installed on the server; `detail` names it."
        case .insufficientStorage:
            "The disk of the service is full, so that nothing can be stored. The administrator must free some space; then "
                + "retry."
        case .failed: "The request failed. The administrator can find the reason in the service's log."
        }
    }

    var urn: String { Problem.typePrefix + rawValue }
}

extension HTTPResponse.Status {
    /// The status 507 (RFC 4918).
    static let insufficientStorage = HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage")
}
