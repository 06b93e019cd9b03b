package import HealthModel
package import JournalCore

/// The result of logging a dose.
package struct DoseResult: Hashable, Sendable {
    package var write: WriteResult
    package var warnings: [DoseWarning]

    package init(write: WriteResult, warnings: [DoseWarning]) {
        self.write = write
        self.warnings = warnings
    }
}
