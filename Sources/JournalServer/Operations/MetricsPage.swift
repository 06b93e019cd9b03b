import EventLog
import HealthJournal
import HealthModel

/// The service's metrics in the Prometheus text format.
struct MetricsPage {
    private(set) var text = ""

    init(_ journal: Journal, _ meter: RequestMeter, _ reminders: ReminderMonitor) {
        requests(meter)
        if let appends = journal.appendStatistics { add(appends) }
        add(journal.maintenance.readiness())
        add(journal.usage)
        add(reminders, at: journal.now)
    }

    private mutating func requests(_ meter: RequestMeter) {
        head("http_requests_in_flight", "gauge", "Requests in progress.")
        sample("http_requests_in_flight", [], meter.inFlight)
        head("http_request_seconds", "histogram", "Time until the response head is sent, by route and status.")
        for (label, times) in meter.times.sorted(by: { $0.key < $1.key }) {
            let labels = [("method", label.method), ("route", label.route), ("status", String(label.status))]
            histogram("http_request_seconds", labels, RequestMeter.bounds, times.buckets, sum: times.seconds)
        }
    }

    private mutating func add(_ appends: AppendStatistics) {
        counter("appends_total", "Appends that were completed.", appends.appends)
        counter("appended_events_total", "Events that were passed to the log.", appends.events)
        counter("appends_turned_away_total", "Appends that were rejected because the queue was full.", appends.rejected)
        gauge("append_queue_depth", "Appends waiting in the queue.", appends.waiting)
        head("commit_seconds", "histogram", "Duration of a commit with its sync; the count is the number of commits.")
        histogram(
            "commit_seconds",
            [],
            AppendStatistics.bounds.map { Double($0) / 1_000_000 },
            appends.times,
            sum: appends.time / .seconds(1)
        )
    }

    private mutating func add(_ readiness: Readiness) {
        gauge("log_head", "The position of the newest event.", readiness.head)
        gauge("log_bytes", "Bytes used in the log.", readiness.logBytes)
        gauge("checkpoint_size", "Events covered by the newest checkpoint outside the log.", readiness.checkpointSize)
        gauge("readers", "Reader slots that are or were in use.", readiness.readers)
        gauge("readers_maximum", "Maximum number of reader slots.", readiness.maximumReaders)
        gauge(
            "oldest_reader_commits",
            "Commits since the oldest open snapshot of the log; 0 for none.",
            readiness.oldestReaderCommits
        )
        gauge(
            "oldest_reader_seconds",
            "How long that snapshot has been open, as observed by this process.",
            readiness.oldestReaderSeconds
        )
        if let reserve = readiness.reserveBytes {
            gauge("disk_reserve_bytes", "Disk space reserved for reads and erasures.", reserve)
        }
        gauge("warnings", "Conditions that need attention, such as low disk space.", readiness.warnings.count)
        gauge(
            "witness_alarm",
            "Whether a witness of the published log has seen another history of it.",
            readiness.hasWitnessAlarm ? 1 : 0
        )
        if let free = readiness.freeBytes { gauge("disk_free_bytes", "Free space on the disk of the journal.", free) }
        head("view_lag_events", "gauge", "Events that a view has not processed yet.")
        for view in readiness.views { sample("view_lag_events", [("view", view.name)], view.lag) }
        gauge("ready", "Whether the journal can process requests.", readiness.problems.isEmpty ? 1 : 0)
    }

    private mutating func add(_ usage: UsageCounters) {
        head("entries_added_total", "counter", "Entries that were added, by kind, and whether they were dictated.")
        for (entry, count) in usage.added {
            sample("entries_added_total", [("kind", entry.kind), ("voice", String(entry.voice))], count)
        }
        head("findings_total", "counter", "Interactions that were found, by severity.")
        for finding in usage.findings { sample("findings_total", [("severity", finding.severity)], finding.count) }
        head("drafts_total", "counter", "Dictated sentences, by what was understood or what clients report.")
        for draft in usage.drafts { sample("drafts_total", [("outcome", draft.outcome)], draft.count) }
    }

    private mutating func add(_ reminders: ReminderMonitor, at now: Instant) {
        let totals = reminders.totals
        let waiting = reminders.waiting(at: now)
        gauge("reminders_waiting", "Reminders that are due and not sent yet.", waiting.count)
        head("reminders_late_seconds", "gauge", "How long the oldest of them has been due; 0 for none.")
        sample("reminders_late_seconds", [], waiting.seconds)
        head("reminder_lateness_seconds", "histogram", "Time between a reminder's moment and its sending.")
        histogram("reminder_lateness_seconds", [], ReminderMonitor.bounds, totals.lateness, sum: totals.latenessSeconds)
        let counters = [
            ("reminders_sent_total", "Reminders that were sent, by kind of channel.", totals.sent),
            ("reminder_failures_total", "Attempts to send a reminder that failed, by kind of channel.", totals.failed),
            ("reminders_lapsed_total", "Reminders not sent before they were of no more use.", totals.lapsed),
        ]
        for (name, help, counts) in counters {
            head(name, "counter", help)
            for kind in ReminderChannel.Kind.allCases { sample(name, [("channel", kind.name)], counts[kind] ?? 0) }
        }
    }

    // MARK: - The text format

    private mutating func counter(_ name: String, _ help: String, _ value: some BinaryInteger) {
        head(name, "counter", help)
        sample(name, [], value)
    }

    private mutating func gauge(_ name: String, _ help: String, _ value: some BinaryInteger) {
        head(name, "gauge", help)
        sample(name, [], value)
    }

    private mutating func head(_ name: String, _ type: String, _ help: String) {
        text += "# HELP healthjournal_\(name) \(help)\n# TYPE healthjournal_\(name) \(type)\n"
    }

    private mutating func histogram(
        _ name: String,
        _ labels: [(String, String)],
        _ bounds: [Double],
        _ buckets: [Int],
        sum: Double
    ) {
        var count = 0
        for (index, bucket) in buckets.enumerated() {
            count += bucket
            let bound = index < bounds.count ? String(bounds[index]) : "+Inf"
            sample(name + "_bucket", labels + [("le", bound)], count)
        }
        sample(name + "_sum", labels, sum)
        sample(name + "_count", labels, count)
    }

    private mutating func sample(_ name: String, _ labels: [(String, String)], _ value: some CustomStringConvertible) {
        let pairs = labels.map { "\($0.0)=\"\($0.1)\"" }.joined(separator: ",")
        text += "healthjournal_\(name)\(pairs.isEmpty ? "" : "{\(pairs)}") \(value)\n"
    }
}

extension RequestMeter.Label: Comparable {
    static func < (left: RequestMeter.Label, right: RequestMeter.Label) -> Bool {
        (left.route, left.method, left.status) < (right.route, right.method, right.status)
    }
}
