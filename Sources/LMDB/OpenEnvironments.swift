internal import Platform

/// The environments that this process has open, by their identity on the disk rather than by path.
enum OpenEnvironments {
    private static let identities = Guarded<Set<FileIdentity>>([])

    static func insert(_ identity: FileIdentity) -> Bool {
        identities.withLock { $0.insert(identity).inserted }
    }

    static func remove(_ identity: FileIdentity) {
        _ = identities.withLock { $0.remove(identity) }
    }
}
