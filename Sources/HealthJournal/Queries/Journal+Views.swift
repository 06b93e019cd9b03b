internal import CaregiverPermissions
internal import CostSummary
internal import EventLog
internal import MedicalRecords
internal import ProjectionKit

extension Journal {
    /// All views, the one place where they are listed.
    private static let projections: [any Projection] = [MedicalRecords(), CaregiverPermissions(), CostSummary()]

    /// The names of the views.
    package static let viewNames = projections.map { type(of: $0).name }

    /// Builds a view anew beside the one in use, and puts it in its place; answers up to which position.
    package func rebuildView(
        _ name: String,
        _ caller: Caller,
        progress: (_ done: UInt64, _ of: UInt64) -> Void = { _, _ in }
    ) async throws(JournalError) -> UInt64 {
        do {
            try await requireAdministrator(caller)
            guard let projection = Journal.projections.first(where: { type(of: $0).name == name }) else {
                throw JournalError(.notFound, "there is no such view")
            }
            try views.rebuild(projection, progress: progress)
            return try views.checkpoint(of: projection)
        } catch {
            throw JournalError(error)
        }
    }

    /// How far a view is, by its name.
    func viewCheckpoint(_ name: String) throws -> UInt64 {
        try Journal.projections.first { type(of: $0).name == name }.map { try views.checkpoint(of: $0) } ?? 0
    }

    /// Brings each view up to date; answers how far it is, or why it stopped.
    func viewFindings() -> [Finding] {
        Journal.projections.map { projection in
            let name = "view \(type(of: projection).name)"
            do {
                try views.catchUp(projection, through: log.head())
                return Finding(name, isWell: true, "up to position \(try views.checkpoint(of: projection))")
            } catch {
                return Finding(name, isWell: false, JournalError(error).description)
            }
        }
    }
}
