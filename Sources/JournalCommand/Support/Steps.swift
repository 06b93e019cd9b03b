import Logging

/// What `--verbose` tells on standard error: ids, positions and times, never what a record says.
struct Steps {
    private var logger = Logger(label: "healthjournal", factory: StreamLogHandler.standardError(label:))
    private let start = ContinuousClock.now

    init(isTold: Bool) {
        logger.logLevel = isTold ? .debug : .warning
    }

    func tell(_ step: Logger.Message, _ metadata: Logger.Metadata = [:]) {
        logger.debug(step, metadata: metadata.merging(["after": "\(ContinuousClock.now - start)"]) { own, _ in own })
    }
}
