package import AppointmentCalendar
package import CaregiverPermissions
internal import CostSummary
package import EventLog

// The environment of the process needs the whole of Foundation.
package import Foundation
package import HealthModel
package import Interactions
internal import JournalEvents
package import MedicalRecords
package import PlanCalendar
internal import Platform
package import PracticeDirectory
package import ProjectionKit
package import TriageQueue

/// A health journal: its commands and queries, all behind one authorization gate, with each read in the audit log.
package final class Journal: Sendable {
    /// The name of the account that the `init` command creates.
    package static let ownerName = "owner"

    package let log: EventLog
    package let views: ViewStore
    package let medicalRecords: MedicalRecordsView
    let vault: RecordVault
    package let permissions: CaregiverPermissionsView
    let costs: CostSummaryView
    package let planCalendar: PlanCalendarView
    package let interactions: InteractionsView
    package let practiceDirectory: PracticeDirectoryView
    package let calendars: AppointmentCalendarView
    package let triageQueue: TriageQueueView
    /// About a kilobyte each.
    package let diaryCache = FoldCache<Diary>(maximum: 8_192)
    let practiceCache = FoldCache<PracticeState?>(maximum: 64)
    let memberCache = FoldCache<MembersState>(maximum: 64)
    package let streamIDs = StreamIDCache()
    package let signIns: SignIns
    package let refusals = RefusalLedger()
    package let directory = AccountDirectory()
    package let cache = RecordCache()
    package let rules = LoadedFiles<RulesLoaded, RuleIndex>(keeping: 3)
    package let nameLists = LoadedFiles<NamesLoaded, NameCatalogue>(keeping: 1)
    package let usage = UsageCounters()
    package let readerWatch = ReaderWatch()
    /// The turns of those who book appointments.
    let turns = Turns()
    let repeatedRequests = RepeatedRequests()
    /// What the journal takes from a service, if it is the readable side of a replica.
    package let replica: (any ReplicaSource)?
    /// What takes part in changes that the core makes.
    package let capabilities: [any Capability]
    /// Whether accounts whose subscription is over may only read, export and erase (`requireSubscriptions`).
    let requiresSubscriptions = Guarded(false)
    /// The file of the master key with which the journal was opened; nil if it was opened without one.
    private let keyFile = Guarded<String?>(nil)
    /// What the log records as erased although the key file has its keys; in this process it counts as erased.
    private let undone = Guarded(UndoneErasures())
    /// The time zone in which the journal's days begin and end.
    package let zone: TimeZone

    /// Opens the journal in a folder.
    package convenience init(
        folder: JournalFolder,
        masterKey: MasterKey,
        options: EventLog.Options = EventLog.Options(),
        passwordCost: PasswordCost = .standard,
        capabilities: [any Capability]
    ) throws(JournalError) {
        do {
            let log = try EventLog(folder: folder, masterKey: masterKey, options: options)
            try RestoredMark(in: folder)?.requireRecorded(in: log)
            try self.init(
                log: log,
                mapSize: options.mapSize,
                passwordCost: passwordCost,
                capabilities: capabilities
            )
            assumeErased()
        } catch {
            throw JournalError(error)
        }
    }

    /// Opens the journal in a folder with the master key in a file; by default the first file that fits.
    ///
    /// Completes an interrupted change of the master key, and checks the log against the checkpoints beside the key.
    package convenience init(
        folder: JournalFolder,
        masterKeyFile: String?,
        options: EventLog.Options,
        capabilities: [any Capability]
    ) throws(JournalError) {
        var options = options
        let key: MasterKey
        let found: String
        do {
            let id = try EventLog.description(of: folder, options: options).id
            let path =
                masterKeyFile
                ?? MasterKeyFile.path(for: id, of: folder, environment: ProcessInfo.processInfo.environment)
            try MasterKeyFile.settle(path, for: folder)
            options.keep(try MasterKeyFile.witness(of: id, in: folder, besideKey: path))
            key = try MasterKeyFile.open(path, for: folder)
            found = path
        } catch {
            throw JournalError(error)
        }
        try self.init(folder: folder, masterKey: key, options: options, capabilities: capabilities)
        keyFile.withLock { $0 = found }
    }

    /// The erased data that can still be read with the key file, which is older than the erasures; none of it is shown.
    package var undoneErasures: UndoneErasures {
        undone.withLock { undone in
            // Another process may have repeated them since.
            if let still = try? log.stillUndone(undone) { undone = still }
            return undone
        }
    }

    /// Finds what the log records as erased although the key file has its keys, so that nothing of it is shown.
    ///
    /// Uses what the view of the records has, and the headers of the events after it. An error is reported by `doctor`.
    private func assumeErased() {
        let known = (try? medicalRecords.erasuresAtCheckpoint()) ?? ([], [], 0)
        let recorded = UndoneErasures(subjects: known.records, entries: known.entries)
        guard let found = try? log.assumeErased(recorded, upTo: known.checkpoint) else { return }
        undone.withLock { $0 = found }
    }

    /// The file of the master key with which the journal was opened; nil if it was opened without one.
    package var masterKeyFile: String? { keyFile.withLock(\.self) }

    /// Why the journal could not be opened again with its key file; nil if it could, or was opened without one.
    package var masterKeyProblem: String? {
        guard let path = keyFile.withLock({ $0 }) else { return nil }
        do throws(EventLogError) {
            _ = try MasterKeyFile.open(path, for: log.folder)
            return nil
        } catch {
            return error.message
        }
    }

    /// Creates the journal of a log that is already open.
    package init(
        log: EventLog,
        mapSize: Int,
        passwordCost: PasswordCost = .standard,
        replica: (any ReplicaSource)? = nil,
        capabilities: [any Capability]
    ) throws(JournalError) {
        self.replica = replica
        self.capabilities = capabilities
        do {
            self.log = log
            zone = log.zone
            signIns = SignIns(cost: passwordCost) { log.now() }
            views = try ViewStore(log: log, mapSize: mapSize)
        } catch {
            throw JournalError(error)
        }
        medicalRecords = MedicalRecordsView(views: views, log: log)
        vault = RecordVault(views: views, log: log)
        permissions = CaregiverPermissionsView(views: views, log: log)
        costs = CostSummaryView(views: views, log: log)
        planCalendar = PlanCalendarView(views: views, log: log)
        interactions = InteractionsView(views: views, log: log)
        practiceDirectory = PracticeDirectoryView(views: views, log: log)
        calendars = AppointmentCalendarView(views: views, log: log)
        triageQueue = TriageQueueView(views: views, log: log)
    }

    /// Creates a new journal and its owner's account.
    package static func create(
        in folder: JournalFolder,
        masterKey: MasterKey,
        id: UUID,
        zone: TimeZone,
        options: EventLog.Options = EventLog.Options(),
        passwordCost: PasswordCost = .standard,
        capabilities: [any Capability]
    ) async throws(JournalError) -> Journal {
        do {
            let log = try EventLog.create(
                in: folder,
                masterKey: masterKey,
                id: id,
                zone: zone.identifier,
                options: options
            )
            log.close()
        } catch {
            // A log without events is left by a creation that was interrupted, which is resumed here.
            guard error.code == .journalExists else { throw JournalError(error) }
        }
        let journal = try Journal(
            folder: folder,
            masterKey: masterKey,
            options: options,
            passwordCost: passwordCost,
            capabilities: capabilities
        )
        do {
            guard try journal.log.head() == 0 else {
                throw EventLogError(.journalExists, "there is a journal in \(folder.path) already")
            }
            try await journal.begin(zone: journal.zone)
        } catch {
            journal.close()
            throw JournalError(error)
        }
        return journal
    }

    /// Waits for work in progress and syncs everything to disk.
    package func close() {
        log.close()
        views.close()
    }

    /// The current time of the journal's clock.
    package var now: Instant { Instant(microseconds: log.now()) }

    /// The current day in the journal's time zone.
    package var today: Day { day(of: now) }

    /// Returns the day of an instant in the journal's time zone.
    package func day(of instant: Instant) -> Day { Day(of: instant, in: zone) }

    private func begin(zone: TimeZone) async throws(JournalError) {
        let owner = UUID.timeOrdered(at: log.now())
        let caller = Caller(account: owner, name: Journal.ownerName, kind: .person, source: .system)
        let profile = AccountProfile(name: Journal.ownerName)
        do {
            var change = try Change(self, caller)
            try change.add(.creating(name: "", zone: zone.identifier), in: .own(log.description.id), expecting: .empty)
            try change.add(.accountAdded(profile), in: .own(owner), expecting: .empty)
            try change.add(
                .valueClaimed(holder: owner),
                in: .stream(claim(.accountName, profile.name), of: log.description.id),
                expecting: .empty
            )
            _ = try await change.commit()
        } catch {
            throw JournalError(error)
        }
    }
}

extension EventLog.Options {
    /// The options of programs that open a journal for their users: with a reserve on the disk.
    ///
    /// The environment variable `HEALTHJOURNAL_MAP_SIZE` limits the address space, in bytes.
    package static var standard: EventLog.Options {
        var options = EventLog.Options()
        options.reserveBytes = AppendLimits.reserveBytes
        if let size = ProcessInfo.processInfo.environment["HEALTHJOURNAL_MAP_SIZE"].flatMap(Int.init), size > 0 {
            options.mapSize = size
        }
        return options
    }
}
