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

extension Journal {
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
            try await access.admit(caller, to: .administer(.manage))
            guard let projection = Journal.projections.first(where: { type(of: $0).name == name }) else {
                throw JournalError(.notFound, "there is no such view")
            }
            try views.rebuild(projection, progress: progress)
            return try views.checkpoint(of: projection)
        } catch {
            throw JournalError(error)
        }
    }

    /// Returns the position that a view has reached.
    ///
    /// If queries wait for tables that are being built, this is the position of those tables.
    package func viewCheckpoint(_ name: String, at head: UInt64) throws -> UInt64 {
        guard let projection = Journal.projections.first(where: { type(of: $0).name == name }) else {
            return 0
        }
        return try views.lateCheckpoint(of: projection, at: head) ?? views.checkpoint(of: projection)
    }

    /// Brings a view up to date on a thread that may block.
    ///
    /// An error is reported by the next query of that view.
    func waitForView(_ name: String) async {
        await BlockingWork.run {
            guard let projection = Journal.projections.first(where: { type(of: $0).name == name }) else {
                return
            }
            _ = try? self.views.catchUp(projection, through: self.log.head())
        }
    }

    /// Brings each view up to date.
    package func catchUpViews() throws {
        for projection in Journal.projections {
            try views.catchUp(projection, through: log.head())
        }
    }

    /// Makes queries of a view that lags far behind fail at once with `catchingUp`, instead of waiting for it.
    ///
    /// For services, where waiting would block all other requests.
    package func answerOnlyWhenViewsAreUpToDate() {
        views.answerOnlyWhenUpToDate()
    }

    /// Returns what keeps views from answering, as messages for the operator.
    package func viewProblems(at head: UInt64) -> [String] {
        Journal.projections.compactMap { projection in
            let name = type(of: projection).name
            do {
                guard let done = try views.lateCheckpoint(of: projection, at: head) else { return nil }
                return "the view \(name) is being brought up to date: \(done) of \(head) events"
            } catch {
                return "the view \(name) cannot be read: \(JournalError(error).message)"
            }
        }
    }

    /// Brings each view up to date; returns the position that it has reached, or why it stopped.
    package func viewFindings() -> [Finding] {
        Journal.projections.map { projection in
            let name = "view \(type(of: projection).name)"
            do {
                try views.catchUp(projection, through: log.head())
                return Finding(name, isOK: true, "up to position \(try views.checkpoint(of: projection))")
            } catch {
                return Finding(name, isOK: false, JournalError(error).description)
            }
        }
    }
}
