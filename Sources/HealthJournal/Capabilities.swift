// The core and all capabilities, as one module.
@_exported public import JournalCore
@_exported public import JournalExchange
@_exported public import JournalIngest
@_exported public import JournalMaintenance
@_exported public import JournalReminders
@_exported public import JournalReplication
