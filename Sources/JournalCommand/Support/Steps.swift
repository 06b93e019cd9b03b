import Logging

/// Writes the steps of a command to the standard error for `--verbose`: ids, positions and times, never record content.
struct Steps {
    private var logger = Logger(label: "healthjournal", factory: StreamLogHandler.standardError(label:))
    private let start = ContinuousClock.now

    init(isVerbose: Bool) {
        logger.logLevel = isVerbose ? .debug : .warning
    }

    func log(_ step: Logger.Message, _ metadata: Logger.Metadata = [:]) {
        logger.debug(step, metadata: metadata.merging(["after": "\(ContinuousClock.now - start)"]) { own, _ in own })
    }
}
