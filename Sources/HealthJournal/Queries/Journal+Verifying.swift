internal import CaregiverPermissions
internal import Dispatch
package import EventLog
internal import HealthModel
internal import Platform

extension Journal {
    /// Verifies the whole log: every page, hash, seal and position.
    ///
    /// For callers who oversee the journal. It uses all processors while it runs.
    package func verifyLog(_ caller: Caller) async throws(JournalError) -> Verification {
        do {
            try await admitToOversee(caller)
            let log = log
            return try await BlockingWork.run(on: Journal.verifying) { try log.verify() }
        } catch {
            throw JournalError(error)
        }
    }

    /// Authorizes a caller to see the events of the journal itself.
    package func admitToOversee(_ caller: Caller) async throws(JournalError) {
        do {
            let permission = Permission(isOwner: try caller.account == account(named: Journal.ownerName)?.id)
            let decision = Gate.decide(.oversee, by: caller, permission: permission, now: now, today: today)
            guard case .denied(let why) = decision else { return }
            throw try await refusal(of: caller, Denial(Action.oversee.access, reason: why))
        } catch {
            throw JournalError(error)
        }
    }

    /// One verification runs at a time, and not on the threads that answer requests.
    private static let verifying = DispatchQueue(label: "org.healthjournal.verifications", qos: .utility)
}
