internal import AppointmentCalendar
internal import CaregiverPermissions
internal import CostSummary
internal import EventLog
internal import HealthModel
internal import Interactions
internal import MedicalRecords
internal import PlanCalendar
internal import Platform
internal import PracticeDirectory
internal import ProjectionKit
internal import TriageQueue

extension Journal.Maintenance {
    /// All views; the only list of them.
    private static let projections: [any Projection] = [
        MedicalRecords(), CaregiverPermissions(), CostSummary(), PlanCalendar(), Interactions(),
        PracticeDirectory(), AppointmentCalendar(), TriageQueue(),
    ]

    /// The names of the views.
    package static let viewNames = projections.map { type(of: $0).name }

    /// Rebuilds a view beside the current one and replaces that one; returns the position that the view has reached.
    package func rebuildView(
        _ name: String,
        _ caller: Caller,
        progress: (_ done: UInt64, _ of: UInt64) -> Void = { _, _ in }
    ) async throws(JournalError) -> UInt64 {
        do {
            try await journal.access.admit(caller, to: .administer(.manage))
            guard let projection = Journal.Maintenance.projections.first(where: { type(of: $0).name == name }) else {
                throw JournalError(.notFound, "there is no such view")
            }
            try journal.views.rebuild(projection, progress: progress)
            return try journal.views.checkpoint(of: projection)
        } catch {
            throw JournalError(error)
        }
    }

    /// Returns the position that a view has reached.
    ///
    /// If queries wait for tables that are being built, this is the position of those tables.
    func viewCheckpoint(_ name: String, at head: UInt64) throws -> UInt64 {
        guard let projection = Journal.Maintenance.projections.first(where: { type(of: $0).name == name }) else {
            return 0
        }
        return try journal.views.lateCheckpoint(of: projection, at: head) ?? journal.views.checkpoint(of: projection)
    }

    /// Brings a view up to date on a thread that may block.
    ///
    /// An error is reported by the next query of that view.
    func waitForView(_ name: String) async {
        await BlockingWork.run {
            guard let projection = Journal.Maintenance.projections.first(where: { type(of: $0).name == name }) else {
                return
            }
            _ = try? journal.views.catchUp(projection, through: journal.log.head())
        }
    }

    /// Brings each view up to date.
    func catchUpViews() throws {
        for projection in Journal.Maintenance.projections {
            try journal.views.catchUp(projection, through: journal.log.head())
        }
    }

    /// Makes queries of a view that lags far behind fail at once with `catchingUp`, instead of waiting for it.
    ///
    /// For services, where waiting would block all other requests.
    package func answerOnlyWhenViewsAreUpToDate() {
        journal.views.answerOnlyWhenUpToDate()
    }

    /// Returns what keeps views from answering, as messages for the operator.
    func viewProblems(at head: UInt64) -> [String] {
        Journal.Maintenance.projections.compactMap { projection in
            let name = type(of: projection).name
            do {
                guard let done = try journal.views.lateCheckpoint(of: projection, at: head) else { return nil }
                return "the view \(name) is being brought up to date: \(done) of \(head) events"
            } catch {
                return "the view \(name) cannot be read: \(JournalError(error).message)"
            }
        }
    }

    /// Brings each view up to date; returns the position that it has reached, or why it stopped.
    func viewFindings() -> [Finding] {
        Journal.Maintenance.projections.map { projection in
            let name = "view \(type(of: projection).name)"
            do {
                try journal.views.catchUp(projection, through: journal.log.head())
                return Finding(name, isOK: true, "up to position \(try journal.views.checkpoint(of: projection))")
            } catch {
                return Finding(name, isOK: false, JournalError(error).description)
            }
        }
    }
}
