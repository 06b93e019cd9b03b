import Foundation

enum Seeds {
    /// The seed to repeat; nil if none is given.
    static let given = ProcessInfo.processInfo.environment["HEALTHJOURNAL_SEED"].flatMap(UInt64.init)
}
