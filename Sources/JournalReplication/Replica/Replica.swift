package import EventLog
package import FoundationEssentials
internal import HealthModel
internal import Interchange
package import JournalCore
package import Platform

/// A folder with what one account may see of a service's journal, and with changes that wait to be sent to it.
///
/// While it is open, no other process works on the folder.
package final class Replica: Sendable {
    package let folder: ReplicaFolder
    package let id: UUID
    /// The changes that wait, or were sent and are still needed.
    package var outbox: Outbox { openOutbox.withLock { $0 } }
    private let openOutbox: Guarded<Outbox>
    let master: MasterKey
    /// The device's clock, in microseconds since 1970.
    let now: @Sendable () -> Int64
    private let lock: FileLock
    private let known: Guarded<ReplicaState>
    private let stateFile: SealedFile

    /// Creates a replica in a folder that does not exist or is empty, and opens it.
    package static func create(
        in folder: ReplicaFolder,
        id: UUID,
        masterKey: MasterKey,
        now: @escaping @Sendable () -> Int64 = EventLog.clock,
        _ state: ReplicaState
    ) async throws(JournalError) -> Replica {
        do {
            try DurableFile.makeFolder(folder.path, adoptsOwner: false)
            guard try DurableFile.names(in: folder.path).isEmpty else {
                throw JournalError(.conflict, "\(folder.path) is not empty: name a new folder for the replica")
            }
            for path in [folder.lock, folder.syncLock] { try DurableFile.makeIfMissing(path) }
            try stateFile(of: folder, masterKey).write(JSONWriter.bytes(state.json))
            try makeOutbox(in: folder.outbox, masterKey, options(now))
            // Written last: without it, the folder is not a replica.
            let description: JSONValue = ["replica": .string(id.text), "service": .string(state.service)]
            try DurableFile.replace(folder.description, with: JSONWriter.bytes(description))
        } catch {
            throw JournalError(error)
        }
        return try await Replica(folder, masterKey: masterKey, now: now)
    }

    /// Opens a replica; waits for a command that works on it.
    package init(
        _ folder: ReplicaFolder,
        masterKey: MasterKey,
        now: @escaping @Sendable () -> Int64 = EventLog.clock
    ) async throws(JournalError) {
        (self.folder, self.now) = (folder, now)
        master = masterKey
        id = try folder.describe().id
        guard let lock = try await Replica.takeLock(folder.lock, atMost: .seconds(60)) else {
            throw JournalError(.busy, "another command works on this replica; try again in a moment")
        }
        self.lock = lock
        stateFile = Replica.stateFile(of: folder, masterKey)
        do {
            guard let bytes = try stateFile.read() else {
                throw JournalError(.damaged, "\(folder.state) is missing; restore it from a copy")
            }
            let state = try ReplicaState(NativeObject(JSONReader.read(bytes, maximumBytes: bytes.count)))
            known = Guarded(state)
            try Replica.settle(folder)
            openOutbox = Guarded(try Replica.outbox(in: folder.outbox, masterKey, state, now))
        } catch {
            throw JournalError(error)
        }
    }

    package func close() { outbox.close() }

    package var state: ReplicaState { known.withLock { $0 } }

    func update(_ change: (inout ReplicaState) -> Void) throws(JournalError) {
        var state = state
        change(&state)
        try stateFile.write(JSONWriter.bytes(state.json))
        known.withLock { $0 = state }
    }

    /// Takes the lock of the one sync that may be under way; nil if another one is.
    package static func lockSync(_ folder: ReplicaFolder) async throws(JournalError) -> FileLock? {
        // `isSyncing` holds the lock for a moment.
        try await takeLock(folder.syncLock, atMost: .milliseconds(500))
    }

    /// Whether a sync of a replica is under way.
    package static func isSyncing(_ folder: ReplicaFolder) throws(JournalError) -> Bool {
        do {
            return try FileLock(of: folder.syncLock, .shared) == nil
        } catch {
            throw JournalError(error)
        }
    }

    /// Takes a lock, and waits for other holders; nil if one of them keeps it for too long.
    private static func takeLock(_ path: String, atMost limit: Duration) async throws(JournalError) -> FileLock? {
        let end = ContinuousClock.now + limit
        do {
            while true {
                if let lock = try FileLock(of: path, .alone) { return lock }
                guard ContinuousClock.now < end else { return nil }
                try await Task.sleep(for: .milliseconds(20))
            }
        } catch {
            throw JournalError(error)
        }
    }

    private static func stateFile(of folder: ReplicaFolder, _ key: MasterKey) -> SealedFile {
        SealedFile(path: folder.state, key: key.derived(for: "replica state"))
    }

    /// Events keep the order in which they were made, whatever the device's clock says, so the clock is not checked.
    private static func options(_ now: @escaping @Sendable () -> Int64) -> EventLog.Options {
        var options = EventLog.Options.standard
        options.reserveBytes = 0
        options.now = now
        return options
    }

    /// The options of the mirror and of its copy.
    var mirrorOptions: EventLog.Options {
        var options = Replica.options(now)
        options.isMirror = true
        return options
    }

    private static func makeOutbox(
        in folder: JournalFolder,
        _ key: MasterKey,
        _ options: EventLog.Options
    ) throws(EventLogError) {
        let id = UUID.timeOrdered(at: options.now())
        try EventLog.create(in: folder, masterKey: key, id: id, zone: "UTC", options: options).close()
    }

    /// Completes or undoes the replacement of a part of the folder that was interrupted.
    private static func settle(_ folder: ReplicaFolder) throws {
        for part in [folder.outbox.path, folder.mirror.path] {
            let isThere = DurableFile.exists(part)
            if !isThere, DurableFile.exists(part + ".old") { try DurableFile.rename(part + ".old", to: part) }
            try Replica.discard(part + ".old")
            try Folder.remove(part + ".new")
        }
    }

    /// Replaces a part of the folder with the one beside it.
    static func replace(_ part: String) throws {
        if DurableFile.exists(part) { try DurableFile.rename(part, to: part + ".old") }
        try DurableFile.rename(part + ".new", to: part)
        try DurableFile.syncFolder(of: part)
        try Replica.discard(part + ".old")
    }

    /// Removes the old part, which may contain data that was left out of the new one.
    private static func discard(_ old: String) throws {
        guard DurableFile.exists(old) else { return }
        try JournalFolder(old).overwriteKeys()
        try Folder.remove(old)
    }

    private static func outbox(
        in folder: JournalFolder,
        _ key: MasterKey,
        _ state: ReplicaState,
        _ now: @escaping @Sendable () -> Int64
    ) throws(EventLogError) -> Outbox {
        Outbox(try EventLog(folder: folder, masterKey: key, options: options(now)), account: state.account)
    }

    /// Writes the outbox anew without changes that are no longer needed; unless `always`, only if those are most of it.
    package func compact(always: Bool = false) async throws(JournalError) {
        do {
            guard let needed = try outbox.needed(through: state.through, always: always) else { return }
            try await write(needed, to: JournalFolder(folder.outbox.path + ".new"))
            outbox.close()
            try Replica.replace(folder.outbox.path)
            let opened = try Replica.outbox(in: folder.outbox, master, state, now)
            openOutbox.withLock { $0 = opened }
        } catch {
            throw JournalError(error)
        }
    }

    /// Writes changes to a new outbox, and closes it.
    private func write(_ items: [Outbox.Item], to folder: JournalFolder) async throws {
        try Folder.remove(folder.path)
        try Replica.makeOutbox(in: folder, master, Replica.options(now))
        let outbox = try Replica.outbox(in: folder, master, state, now)
        defer { outbox.close() }
        try await outbox.fill(items)
    }
}
