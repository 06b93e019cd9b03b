internal import FoundationEssentials

/// How many processors this process may use.
enum Processors {
    /// Asked once: each time it is, the system's files about it are read.
    static let count = ProcessInfo.processInfo.activeProcessorCount
}
