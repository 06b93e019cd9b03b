internal import EventLog
internal import FoundationEssentials
internal import HealthModel
internal import Synchronization

/// The diaries that were read last, each with the version of its stream.
///
/// A diary is sealed under the key of a practice, which is never destroyed, so that a version always has the same content.
final class DiaryCache: Sendable {
    /// About a kilobyte each.
    static let maximum = 8_192

    private let diaries = Mutex<[UUID: Journal.Versioned<Diary>]>([:])

    /// Returns a diary if its version is known.
    func diary(_ stream: UUID, version: UInt64) -> Journal.Versioned<Diary>? {
        diaries.withLock { diaries in
            guard let known = diaries[stream], known.version == version else { return nil }
            return known
        }
    }

    func keep(_ diary: Journal.Versioned<Diary>, of stream: UUID) {
        diaries.withLock { diaries in
            if diaries.count >= DiaryCache.maximum { diaries.removeAll(keepingCapacity: true) }
            diaries[stream] = diary
        }
    }
}
