package import EventLog
package import FoundationEssentials
package import HealthModel

// The core and all capabilities, as one module.
@_exported public import JournalCare
@_exported public import JournalClinic
@_exported public import JournalCore
@_exported public import JournalExchange
@_exported public import JournalIngest
@_exported public import JournalMaintenance
@_exported public import JournalReminders
@_exported public import JournalReplication

/// The journal with all capabilities.
extension Journal {
    /// The capabilities that take part in changes of the core.
    private static let allCapabilities: [any Capability] = [CareCapability(), ClinicCapability()]

    /// Opens the journal in a folder.
    package convenience init(
        folder: JournalFolder,
        masterKey: MasterKey,
        options: EventLog.Options = EventLog.Options(),
        passwordCost: PasswordCost = .standard
    ) throws(JournalError) {
        try self.init(
            folder: folder,
            masterKey: masterKey,
            options: options,
            passwordCost: passwordCost,
            capabilities: Journal.allCapabilities
        )
    }

    /// Opens the journal in a folder with the master key in a file; by default the first file that fits.
    package convenience init(
        folder: JournalFolder,
        masterKeyFile: String?,
        options: EventLog.Options
    ) throws(JournalError) {
        try self.init(
            folder: folder,
            masterKeyFile: masterKeyFile,
            options: options,
            capabilities: Journal.allCapabilities
        )
    }

    /// Creates a new journal and its owner's account.
    package static func create(
        in folder: JournalFolder,
        masterKey: MasterKey,
        id: UUID,
        zone: TimeZone,
        options: EventLog.Options = EventLog.Options(),
        passwordCost: PasswordCost = .standard
    ) async throws(JournalError) -> Journal {
        try await create(
            in: folder,
            masterKey: masterKey,
            id: id,
            zone: zone,
            options: options,
            passwordCost: passwordCost,
            capabilities: allCapabilities
        )
    }
}
