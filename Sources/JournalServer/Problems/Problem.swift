import HTTPTypes
import HealthJournal
import HealthModel
import Hummingbird
import Interchange
import NIOCore

/// A problem document (RFC 9457): why a request failed.
///
/// Never contains the content of a record.
struct Problem: Error, Sendable {
    /// The last part of the problem's type URN; stable for each kind of problem.
    let slug: String
    let status: HTTPResponse.Status
    let text: Message
    /// The path of the field, the parameter or the header at fault.
    var field: String?
    /// The time that is in the way of an appointment, and what can be booked instead.
    var taken: TakenTime?
    /// Everything that is in the way of an appointment.
    var conflicts: [BookingConflict] = []
    var headers = HTTPFields()

    init(_ slug: String, _ status: HTTPResponse.Status, _ text: Message, field: String? = nil) {
        self.slug = slug
        self.status = status
        self.text = text
        self.field = field
    }

    static let typePrefix = "urn:healthjournal:problem:"

    var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init("type", .string(Problem.typePrefix + slug)),
            .init("title", .string(status.reasonPhrase)),
            .init("status", .integer(status.code)),
            .init("detail", .string("\(text)")),
        ]
        if let field { members.append(.init("field", .string(field))) }
        if let taken { members += taken.members }
        if !conflicts.isEmpty { members.append(.init("conflicts", .array(conflicts.map(\.json)))) }
        return .object(members)
    }

    var response: Response {
        var response = Response(json, status: status, type: .problem)
        response.headers.append(contentsOf: headers)
        return response
    }
}

extension Problem {
    /// Maps an error to the problem that is reported to the client.
    init(_ error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        case let error as HTTPError: self.init(error)
        case is NIOTooManyBytesError: self.init("too-large", .contentTooLarge, "the request's body is too large")
        default:
            let error = JournalError(error)
            self.init(error)
            conflicts = error.conflicts
        }
    }

    private init(_ error: JournalError) {
        switch error.code {
        case .invalid: self.init("invalid", .badRequest, error.text, field: error.field)
        case .unauthenticated:
            self.init("unauthenticated", .unauthorized, error.text, field: error.field)
            headers[.wwwAuthenticate] = #"Bearer realm="healthjournal""#
        case .refused: self.init("refused", .forbidden, error.text, field: error.field)
        case .subscriptionExpired: self.init("subscription-expired", .forbidden, error.text, field: error.field)
        case .notFound: self.init("not-found", .notFound, error.text, field: error.field)
        case .conflict: self.init("conflict", .conflict, error.text, field: error.field)
        case .scheduleConflict: self.init("schedule-conflict", .conflict, error.text, field: error.field)
        case .slotTaken:
            self.init("slot-taken", .conflict, error.text, field: error.field)
            taken = error.taken
        case .stale: self.init("stale", .preconditionFailed, error.text, field: "If-Match")
        case .erased: self.init("erased", .gone, error.text)
        case .busy:
            self.init("busy", .tooManyRequests, error.text)
            headers[.retryAfter] = String(error.retryAfter ?? 1)
        case .catchingUp:
            self.init("catching-up", .serviceUnavailable, error.text)
            headers[.retryAfter] = String(error.retryAfter ?? 1)
        case .outdated: self.init("outdated", .serviceUnavailable, error.text)
        case .diskFull: self.init("insufficient-storage", .insufficientStorage, Problem.full)
        case .remoteFailed: self.init("remote-failed", .badGateway, error.text)
        case .notInstalled: self.init("not-installed", .notImplemented, error.text)
        // The details of an internal error are for the operator, and are in the service's log.
        case .damaged, .failed: self.init("failed", .internalServerError, Problem.inside)
        }
    }

    /// The error itself may name folders of the server.
    private static let full: Message = """
        the disk of the service is full, so that nothing can be stored: ask the administrator to free some space, \
        then try again
        """

    private static let inside: Message =
        "the request failed; the administrator can find the reason in the service's log"

    private init(_ error: HTTPError) {
        switch error.status {
        case .notFound: self.init("not-found", .notFound, "there is nothing at this address")
        case .contentTooLarge: self.init("too-large", .contentTooLarge, "the request's body is too large")
        default: self.init("malformed", error.status, Message(verbatim: error.body ?? error.status.reasonPhrase))
        }
    }
}
