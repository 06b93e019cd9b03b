internal import CaregiverPermissions
internal import Dispatch
package import EventLog
internal import HealthModel

extension Journal {
    /// Checks the whole log as it stands: every page, hash, seal and position.
    ///
    /// For those who oversee the journal. It takes all processors for as long as it runs.
    package func verifyLog(_ caller: Caller) async throws(JournalError) -> Verification {
        do {
            try await admitToOversee(caller)
            let log = log
            return try await withCheckedThrowingContinuation { continuation in
                Journal.verifying.async { continuation.resume(with: Result { try log.verify() }) }
            }
        } catch {
            throw JournalError(error)
        }
    }

    /// Lets in whoever may see what happens to the journal itself.
    package func admitToOversee(_ caller: Caller) async throws(JournalError) {
        do {
            let standing = Permission(isOwner: try caller.account == account(named: Journal.ownerName)?.id)
            let verdict = Gate.decide(.oversee, by: caller, permission: standing, now: now, today: today)
            guard case .denied(let why) = verdict else { return }
            throw try await refusal(of: caller, Denial(Action.oversee.access, because: why))
        } catch {
            throw JournalError(error)
        }
    }

    /// One at a time, and not on the threads that answer requests.
    private static let verifying = DispatchQueue(label: "org.healthjournal.verifications", qos: .utility)
}
