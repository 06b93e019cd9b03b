import Foundation

enum Seeds {
    /// The seed to repeat, if one is asked for.
    static let given = ProcessInfo.processInfo.environment["HEALTHJOURNAL_SEED"].flatMap(UInt64.init)
}
