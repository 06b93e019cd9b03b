package import EventLog
package import HealthModel
internal import JournalEvents
internal import Platform

/// The files of one type that were loaded into the journal, brought up to date with the journal's own stream, and the
/// values last prepared from them.
package final class LoadedFiles<File: LoadedFile, Prepared: Sendable>: Sendable {
    /// One loading of a file.
    package struct Loaded: Hashable, Sendable {
        package let file: File
        package let stamp: Stamp
    }

    private struct State {
        /// How much of the journal's own stream was read.
        var version: UInt64 = 0
        /// In the order in which they were loaded.
        var loaded: [Loaded] = []
        /// The values last prepared, by the digests of the files; the newest is first.
        var prepared: [(digests: [String], value: Prepared)] = []
    }

    private let state = Guarded(State())
    /// The number of combinations of files that stay prepared.
    private let kept: Int

    /// Keeps the values prepared from `kept` combinations of files: more than one if the files of the past are used
    /// too.
    package init(keeping kept: Int) {
        self.kept = kept
    }

    /// Returns the files that were loaded up to a position, in that order.
    package func loaded(in log: EventLog, asOf position: UInt64) throws -> [Loaded] {
        let stream = log.description.id
        let loaded = try state.withLock { state in
            let version = try log.version(of: stream)
            while state.version < version {
                let page = try log.events(of: stream, from: state.version + 1)
                if page.isEmpty { break }
                for event in page where event.header.type == File.type.rawValue {
                    let recorded = try log.recorded(event)
                    guard let file = recorded.event.data as? File else { continue }
                    state.loaded.append(Loaded(file: file, stamp: recorded.stamp))
                }
                state.version += UInt64(page.count)
            }
            return state.loaded
        }
        return loaded.filter { $0.stamp.position <= position }
    }

    /// Returns the newest file of each name at a position, by name.
    package func current(in log: EventLog, asOf position: UInt64) throws -> [Loaded] {
        LoadedFiles.current(try loaded(in: log, asOf: position))
    }

    /// Returns the newest file of each name, by name.
    package static func current(_ loaded: [Loaded]) -> [Loaded] {
        var newest: [String: Loaded] = [:]
        for item in loaded { newest[item.file.name] = item }
        return newest.values.sorted { $0.file.name < $1.file.name }
    }

    /// Returns what `make` makes of the current files at a position, from their contents; nil if there are none.
    package func prepared(
        in log: EventLog,
        asOf position: UInt64,
        _ make: ([[UInt8]]) throws -> Prepared
    ) throws -> Prepared? {
        let digests = try current(in: log, asOf: position).map(\.file.digest)
        if digests.isEmpty { return nil }
        if let known = state.withLock({ $0.prepared.first { $0.digests == digests }?.value }) { return known }
        // Made outside the lock: two callers may both make it, but no caller of `loaded` waits.
        let value = try make(digests.map { try log.blobs.get($0, subject: log.description.id) })
        state.withLock { state in
            state.prepared.insert((digests, value), at: 0)
            if state.prepared.count > kept { state.prepared.removeLast() }
        }
        return value
    }
}
