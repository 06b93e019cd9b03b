import FoundationEssentials
import HealthJournal
import HealthModel
import Platform

/// Notices sessions that were not used for some time, such as on a screen that several people share.
///
/// When a session was last used is kept in memory. After a start of the service, and for sessions whose last use is not
/// kept, it counts from the start of the service or of the session, whichever is later.
final class IdleSessions: Sendable {
    private let limit: Duration?
    private let started: Instant
    private let uses = Guarded<[UUID: Instant]>([:])

    /// The number of sessions from which on those that have been idle for too long are forgotten.
    private static let keptSessions = 10_000

    /// The parameter of requests that a page sends by itself, and which are no use of the session by a person.
    static let automatic = "automatic"

    /// `limit` is nil if sessions do not end by themselves.
    init(_ limit: Duration?, now: Instant) {
        self.limit = limit
        started = now
    }

    /// The seconds until the session of a caller ends if it is not used from now on; nil without a session.
    func secondsLeft(of caller: Caller, at now: Instant) -> Int64? {
        guard caller.session != nil, let expires = caller.sessionExpires else { return nil }
        let left = max(0, (expires.microseconds - now.microseconds) / Instant.microsecondsPerSecond)
        return limit.map { min(left, max(0, $0.components.seconds)) } ?? left
    }

    /// Notes the use of a session; returns false if it was idle for too long, and is to be ended.
    ///
    /// With `isAutomatic`, a page asked by itself: the session may go on, and is not used by that.
    func use(_ session: UUID, isAutomatic: Bool = false, at now: Instant) -> Bool {
        guard let limit else { return true }
        let microseconds = limit.components.seconds * 1_000_000 + limit.components.attoseconds / 1_000_000_000_000
        return uses.withLock { uses in
            let earliest = Instant(microseconds: now.microseconds - microseconds)
            let last = uses[session] ?? max(started, session.timeOfCreation)
            guard last >= earliest else {
                uses[session] = nil
                return false
            }
            if uses.count >= IdleSessions.keptSessions { uses = uses.filter { $0.value >= earliest } }
            if !isAutomatic { uses[session] = now }
            return true
        }
    }
}

extension UUID {
    /// The time in a UUIDv7, to the millisecond (RFC 9562, section 5.7).
    fileprivate var timeOfCreation: Instant {
        let bytes = [uuid.0, uuid.1, uuid.2, uuid.3, uuid.4, uuid.5]
        return Instant(microseconds: bytes.reduce(0) { $0 << 8 | Int64($1) } * 1_000)
    }
}
