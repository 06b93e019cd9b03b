import ArgumentParser
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange

/// The options for the moment of a query about plans.
struct CareOptions: ParsableArguments {
    @Option(name: .long, help: "As known at this position (#42), time or date.", transform: When.init(typed:))
    var asOf: When?

    @Option(name: .long, help: "Answer as if it were this time.")
    var now: TypedTime?

    /// Returns the question about a record; `from` may be a word, which is read by the person's clock.
    func question(
        from: TypedDay? = nil,
        to: TypedDay? = nil,
        plan: String? = nil,
        of record: UUID,
        in session: Session
    ) async throws -> CareQuestion {
        var id: UUID?
        if let plan { id = try await session.journal.plan(plan, of: record.text) }
        return try await CareQuestion(
            from: from?.day(of: record, in: session),
            to: to?.day(of: record, in: session),
            plan: id,
            asOf: asOf?.asOf(in: session),
            now: now?.instant(in: session.output.typedZone)
        )
    }
}

extension CareOptions {
    /// Returns the question about the days of a period.
    func question(_ period: PeriodOptions, of record: UUID, in session: Session) async throws -> CareQuestion {
        try await question(from: period.from, to: period.to, plan: period.plan, of: record, in: session)
    }
}

/// The days of a query about plans.
struct PeriodOptions: ParsableArguments {
    @Option(name: .long, help: "The first day, such as 2026-03-01 or yesterday (default: today).")
    var from: TypedDay?

    @Option(name: .long, help: "The day after the last one (default: the day after --from).")
    var to: TypedDay?

    @Option(name: .long, help: "Only this medication or supplement, by id or name.")
    var plan: String?
}

/// An amount that was given as an argument.
struct Amount: ExpressibleByArgument {
    let value: ExactDecimal

    init?(argument: String) {
        guard !TypedNumber.isAmbiguous(argument),
            let value = try? ExactDecimal(parsingAmount: TypedNumber.decimal(argument))
        else { return nil }
        self.value = value
    }
}

extension PlannedDoseDocument {
    /// The amount with its unit, or what the plan says in words.
    var amountWithUnit: String {
        PlanProduct(name: name, unit: unit, strength: strength).text(of: amount, words: amountText)
    }

    /// When it is due by the person's clock, without seconds.
    var shownTime: String { local.shownTime }

    /// Anything unusual about its time, and when it was taken.
    var remark: String {
        var parts: [String] = []
        if let at, state != .skipped { parts.append("at \(at.shownTime)") }
        if let takenAmount, takenAmount != amount {
            let taken = PlanProduct(name: name, unit: unit, strength: strength).text(of: takenAmount)
            parts.append(state == .partly ? "\(takenAmount) of \(amount?.description ?? "")" : "TAKEN: \(taken)")
        }
        parts += warnings.compactMap(\.remark)
        if uncounted { parts.append("cannot be counted: stock and limits leave it out") }
        if gap { parts.append("the clock skips \(wall)") }
        if let snoozedUntil { parts.append("snoozed until \(snoozedUntil)") }
        if let closeTo { parts.append("\(closeTo) min from another dose") }
        return parts.joined(separator: "; ")
    }
}

extension OtherDoseDocument {
    var amountWithUnit: String {
        amount.map { PlanProduct(name: name, unit: unit, strength: strength).text(of: $0) } ?? unit ?? ""
    }

    var shownTime: String { local.shownTime }
}

extension String {
    /// A local time such as `2026-03-29T03:30:00+02:00` without its seconds, for people.
    var shownTime: String {
        guard count >= 25 else { return self }
        return "\(prefix(10)) \(dropFirst(11).prefix(5)) \(suffix(6))"
    }
}

extension TextTable {
    /// Creates a table of planned doses and, after them, of other doses.
    init(_ doses: PlannedDosesDocument) {
        self.init([.init("DUE"), .init("NAME"), .init("AMOUNT", .right), .init("STATE"), .init("REMARK")])
        for dose in doses.doses {
            add([dose.shownTime, dose.name, dose.amountWithUnit, dose.state.label, dose.remark])
        }
        for dose in doses.others {
            let kind = dose.unplanned ? "not planned" : "when needed"
            let remark = ([kind] + dose.warnings.compactMap(\.remark)).joined(separator: "; ")
            add([dose.shownTime, dose.name, dose.amountWithUnit, dose.status.rawValue, remark])
        }
    }
}
