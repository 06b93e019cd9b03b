import AsyncHTTPClient
import HealthJournal
import Interchange
import NIOCore
import NIOPosix
import NIOSSL

/// Why a service could not be asked.
enum ServiceFailure {
    /// It said no itself.
    case answered(JournalError)
    /// Nobody answers there.
    case absent(String)
    /// Whoever answers there does not show that it is the service.
    case untrusted(String)
    /// It was there, and the connection ended before its answer did.
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

    /// What to tell whoever asked, and what they can do.
    func journalError(afterChange request: ServiceRequest) -> JournalError {
        let doubt =
            request.method == .get ? "" : "; whether the change was made is not known: look before you repeat it"
        switch self {
        case .answered(let error): return error
        case .absent(let base):
            return JournalError(.failed, "no service answers at \(base): is it running, and is that its address?")
        case .untrusted(let base):
            return JournalError(
                .failed,
                """
                \(base) speaks no TLS, or does not show by a certificate that it is that service: give the \
                certificate of one that made its own with --ca FILE; if you did, somebody else may be answering
                """
            )
        case .broken(let base): return JournalError(.failed, "the connection to \(base) broke\(doubt)")
        case .slow(let base): return JournalError(.failed, "\(base) did not answer in time\(doubt)")
        case .other(let base):
            return JournalError(.failed, "\(base) does not speak HTTP as a service does: is that its address?")
        }
    }
}

extension ServiceAnswer {
    /// The error that the service's problem document is.
    func problem(of base: String) -> JournalError {
        guard mediaType.hasPrefix("application/problem+json"), let document = try? JSONReader.read(bytes),
            let type = document.text("type")
        else {
            return JournalError(
                .failed,
                "\(base) answered with the status \(status), and not as a HealthJournal does: is that its address?"
            )
        }
        let detail = document.text("detail") ?? document.text("title") ?? "the service refused it"
        let field = document.text("field")
        switch type.split(separator: ":").last {
        case "unauthenticated":
            return JournalError(
                .unauthenticated,
                """
                the service does not take this token: it is wrong, was revoked or has expired; whoever runs the \
                journal makes another with: healthjournal token issue ACCOUNT --scope full
                """
            )
        case "invalid", "malformed", "too-large": return JournalError(.invalid, field: field, detail)
        case "refused", "foreign-page": return JournalError(.refused, field: field, detail)
        case "not-found": return JournalError(.notFound, field: field, detail)
        case "conflict": return JournalError(.conflict, field: field, detail)
        case "stale": return JournalError(.stale, detail)
        case "erased": return JournalError(.erased, detail)
        case "busy": return JournalError(.busy, detail, retryAfter: retryAfter)
        default: return JournalError(.failed, field: field, detail)
        }
    }
}

extension JSONValue {
    fileprivate func text(_ name: String) -> String? {
        if case .string(let text)? = self[name] { text } else { nil }
    }
}
