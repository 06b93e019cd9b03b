import AsyncHTTPClient
import HealthJournal
import HealthModel
import Interchange
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// The reason why a request to a service failed.
enum ServiceFailure {
    /// The service refused the request.
    case answered(JournalError)
    /// No service answers at the address.
    case absent(String)
    /// The server does not prove that it is the service.
    case untrusted(String)
    /// The connection ended before the answer was complete.
    case broken(String)
    case slow(String)
    case other(String)

    init(_ error: any Error, at base: String) {
        switch error {
        case let error as JournalError: self = .answered(error)
        case is NIOConnectionError: self = .absent(base)
        case let error as IOError where [ECONNREFUSED, EHOSTUNREACH, ENETUNREACH].contains(error.errnoCode):
            self = .absent(base)
        case is IOError, is ChannelError: self = .broken(base)
        case let error as HTTPParserError where error == .invalidEOFState: self = .broken(base)
        case let error as HTTPClientError where error == .connectTimeout: self = .absent(base)
        case let error as HTTPClientError where error == .deadlineExceeded || error == .readTimeout: self = .slow(base)
        case let error as HTTPClientError where error == .remoteConnectionClosed || error == .uncleanShutdown:
            self = .broken(base)
        case let error as NIOSSLError where error == .uncleanShutdown: self = .broken(base)
        case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError: self = .untrusted(base)
        case let error as HTTPClientError where error == .tlsHandshakeTimeout: self = .untrusted(base)
        default: self = .other(base)
        }
    }

    var isBroken: Bool { if case .broken = self { true } else { false } }

    /// The error for the user, with advice on what to do.
    func journalError(afterChange request: ServiceRequest) -> JournalError {
        let isSafe = request.isRead || request.hasOwnIDs
        let doubt = isSafe ? "" : "; whether the change was made is not known: check before you repeat it"
        switch self {
        case .answered(let error): return error
        case .absent(let base):
            return JournalError(.failed, "no service answers at \(base): is it running, and is that its address?")
        case .untrusted(let base):
            return JournalError(
                .failed,
                """
                \(base) does not use TLS, or its certificate is not trusted: if the service has a certificate \
                of its own, give it with --ca FILE; if you did, another server may be answering
                """
            )
        case .broken(let base): return JournalError(.failed, "the connection to \(base) broke\(doubt)")
        case .slow(let base): return JournalError(.failed, "\(base) did not answer in time\(doubt)")
        case .other(let base):
            return JournalError(.failed, "\(base) does not answer as an HTTP service: is that its address?")
        }
    }
}

extension ServiceAnswer {
    /// Returns the error that the service's problem document describes.
    func problem(of base: String) -> JournalError {
        var error = error(of: base)
        if let document = try? JSONReader.read(bytes) { error.conflicts = BookingConflict.list(document) }
        return error
    }

    private func error(of base: String) -> JournalError {
        guard mediaType.hasPrefix("application/problem+json"), let document = try? JSONReader.read(bytes),
            let type = document.text("type")
        else {
            return JournalError(
                .failed,
                "\(base) answered with the status \(status), but not as a HealthJournal service: is that its address?"
            )
        }
        let detail = Message(
            verbatim: document.text("detail") ?? document.text("title") ?? "the service refused the request"
        )
        let field = document.text("field")
        switch type.split(separator: ":").last {
        case "unauthenticated":
            return JournalError(
                .unauthenticated,
                """
                the service does not accept this token: it is wrong, was revoked or has expired; an administrator \
                of the journal issues another with: healthjournal token issue ACCOUNT --scope full
                """
            )
        case "invalid", "malformed", "too-large": return JournalError(.invalid, field: field, detail)
        case "refused", "foreign-page": return JournalError(.refused, field: field, detail)
        case "not-found": return JournalError(.notFound, field: field, detail)
        case "subscription-expired": return JournalError(.subscriptionExpired, field: field, detail)
        case "schedule-conflict": return JournalError(.scheduleConflict, field: field, detail)
        case "slot-taken":
            var error = JournalError(.slotTaken, field: field, detail)
            error.taken = TakenTime(document)
            return error
        case "conflict": return JournalError(.conflict, field: field, detail)
        case "stale": return JournalError(.stale, detail)
        case "erased": return JournalError(.erased, detail)
        case "busy": return JournalError(.busy, detail, retryAfter: retryAfter)
        case "catching-up": return JournalError(.catchingUp, detail, retryAfter: retryAfter)
        case "insufficient-storage": return JournalError(.diskFull, detail)
        case "outdated": return JournalError(.outdated, detail)
        case "remote-failed": return JournalError(.remoteFailed, detail)
        default: return JournalError(.failed, field: field, detail)
        }
    }
}

extension JSONValue {
    fileprivate func text(_ name: String) -> String? {
        if case .string(let text)? = self[name] { text } else { nil }
    }
}
