import CaregiverPermissions
import CostSummary
import EventLog
import MedicalRecords
import ProjectionKit

/// Rebuilds all views from the log.
public struct RebuildWork: Sendable {
    /// Creates the workload.
    public init() {}

    /// Runs the workload, and returns the measured values.
    public func run(in folder: WorkFolder) throws -> WorkResult {
        let log = try folder.open()
        defer { log.close() }
        let views = try ViewStore(log: log)
        let taken = try ContinuousClock().measure { try RebuildWork.rebuild(views) }
        views.close()
        return WorkResult("rebuild", events: Int(try log.head()), in: taken)
    }

    static func rebuild(_ views: ViewStore) throws {
        try views.rebuild(MedicalRecords())
        try views.rebuild(CaregiverPermissions())
        try views.rebuild(CostSummary())
    }
}
