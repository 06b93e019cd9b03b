/// The moments of a backup between which it may be cut off, for tests that do so.
enum BackupStep: Hashable, Sendable, CaseIterable {
    case begun
    case segmentWritten
    case segmentPlaced
    case keysCopied
    case blobCopied
    case contentsWritten
    case manifestPlaced
    case tidied
}
