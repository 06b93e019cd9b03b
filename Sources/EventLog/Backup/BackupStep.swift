/// The steps of a backup at which tests can interrupt it.
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
