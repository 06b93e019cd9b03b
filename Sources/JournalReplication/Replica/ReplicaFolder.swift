package import EventLog
package import FoundationEssentials
internal import HealthModel
internal import Interchange
package import JournalCore
internal import Platform

/// The folder of a replica, and its parts.
package struct ReplicaFolder: Hashable, Sendable {
    package let path: String

    package init(_ path: String) {
        self.path = path
    }

    /// The id of the replica and the URL of its service, in plaintext: with the id, the key file is found.
    var description: String { path + "/replica.json" }
    /// What the replica knows of its service, sealed.
    var state: String { path + "/state" }
    /// Held by each command that works on the folder.
    var lock: String { path + "/lock" }
    /// Held by the sync that is under way.
    var syncLock: String { path + "/sync.lock" }
    /// The changes that wait to be sent: the only part that must not be lost.
    package var outbox: JournalFolder { JournalFolder(path + "/outbox") }
    /// The service's events; can be deleted and fetched again.
    package var mirror: JournalFolder { JournalFolder(path + "/mirror") }
    /// A copy of the mirror with the waiting changes on top; can be deleted.
    package var work: JournalFolder { JournalFolder(path + "/work") }

    /// States which mirror `work` is a copy of; without it, the copy is not used.
    var copyMark: String { work.path + "/of" }

    /// Makes the next command copy the mirror again.
    func invalidateCopy() throws {
        try DurableFile.remove(copyMark)
        if DurableFile.exists(work.path) { try DurableFile.syncFolder(of: copyMark) }
    }

    /// Whether a folder is that of a replica.
    package static func isReplica(_ path: String) -> Bool {
        DurableFile.exists(ReplicaFolder(path).description)
    }

    /// Returns the id of the replica, and the URL of its service.
    package func describe() throws(JournalError) -> (id: UUID, service: String) {
        do {
            let object = try NativeObject(JSONReader.read(DurableFile.read(description, atMost: 64 << 10)))
            return (try object.id("replica"), try object.required("service"))
        } catch {
            throw JournalError(.damaged, "\(description) cannot be read; restore it from a copy")
        }
    }
}
