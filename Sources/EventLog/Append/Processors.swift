internal import FoundationEssentials

/// The number of processors that this process may use.
enum Processors {
    /// Cached, because each query reads system files.
    static let count = ProcessInfo.processInfo.activeProcessorCount
}
