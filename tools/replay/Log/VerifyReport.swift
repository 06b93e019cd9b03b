import EventLog
import Interchange

/// The result of a verification, for printing.
struct VerifyReport {
    let verification: Verification
    /// The checkpoint since which the log was checked; nil for all of it.
    let since: Checkpoint?
    let time: Duration
    var views: ViewReport?
    /// The erasures that the key file undoes; nil without a key.
    var undone: UndoneErasures?

    init(_ verification: Verification, since: Checkpoint?, time: Duration) {
        self.verification = verification
        self.since = since
        self.time = time
    }

    private var checked: UInt64 { verification.head - min(verification.head, since?.size ?? 0) }

    /// How long the verification took, and its rate.
    var pace: String {
        let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
        let rate = seconds > 0 ? UInt64(Double(checked) / seconds) : checked
        return "checked \(checked) events in \(UInt64(seconds * 1000)) ms, \(rate) per second"
    }

    var table: TextTable {
        var table = TextTable([.init("CHECK"), .init("RESULT")])
        table.add(["events", String(verification.head)])
        table.add(["root hash", verification.root.hexadecimal])
        if let since {
            table.add(["checked since", "position \(since.size): \(checked) events"])
        }
        if let kept = verification.checkpoint {
            table.add(["stored checkpoint", "of \(kept.size) events, extended by the log"])
        }
        if let verifier = verification.verifier { table.add(["checkpoint key", verifier.text]) }
        table.add(["seals opened", String(verification.sealsOpened)])
        table.add(["seals of erased subjects", String(verification.sealsErased)])
        table.add(["seals unread", String(verification.sealsUnread)])
        if let undone, !undone.isEmpty { table.add(["erased, but readable by the key file", String(undone.count)]) }
        table.add(["log", verification.isSound ? "intact" : "\(verification.faultCount) faults"])
        for fault in verification.faults { table.add(["position \(fault.position)", fault.what]) }
        if let views {
            table.add([
                "views",
                "\(views.positions) positions, \(views.records) records, \(views.entries) entries, "
                    + "\(views.grants) grants, \(views.totals) cost totals compared",
            ])
            table.add(["views against the log", views.isSound ? "agree" : "\(views.mismatchCount) mismatches"])
            for mismatch in views.mismatches { table.add(["position \(mismatch.position)", mismatch.what]) }
        }
        return table
    }

    var json: JSONValue {
        .members(
            ("events", .integer(verification.head)),
            ("root", .string(verification.root.hexadecimal)),
            (
                "checkpoint",
                verification.checkpoint.map {
                    .members(("size", .integer($0.size)), ("root", .string($0.root.hexadecimal)))
                }
            ),
            ("checkpointKey", verification.verifier.map { .string($0.text) }),
            (
                "since",
                since.map {
                    .members(
                        ("origin", .string($0.origin)),
                        ("size", .integer($0.size)),
                        ("root", .string($0.root.hexadecimal)),
                        ("checked", .integer(checked))
                    )
                }
            ),
            (
                "seals",
                .members(
                    ("opened", .integer(verification.sealsOpened)),
                    ("erased", .integer(verification.sealsErased)),
                    ("unread", .integer(verification.sealsUnread))
                )
            ),
            ("erasedButReadable", undone.map { .integer($0.count) }),
            ("isSound", .bool(verification.isSound && views?.isSound != false && undone?.isEmpty != false)),
            ("faultCount", .integer(verification.faultCount)),
            ("faults", .array(verification.faults.map { VerifyReport.json(fault: $0.position, $0.what) })),
            ("views", views.map(VerifyReport.json))
        )
    }

    private static func json(_ report: ViewReport) -> JSONValue {
        .members(
            ("isSound", .bool(report.isSound)),
            ("positions", .integer(report.positions)),
            ("records", .integer(report.records)),
            ("entries", .integer(report.entries)),
            ("grants", .integer(report.grants)),
            ("totals", .integer(report.totals)),
            ("mismatchCount", .integer(report.mismatchCount)),
            ("mismatches", .array(report.mismatches.map { json(fault: $0.position, $0.what) }))
        )
    }

    private static func json(fault position: UInt64, _ what: String) -> JSONValue {
        .members(("position", .integer(position)), ("what", .string(what)))
    }
}
