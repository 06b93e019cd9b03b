import Foundation
import HealthJournal
import HealthModel
import JournalPages

/// A change of a plan that one short form makes.
enum PlanStep: String, CaseIterable, Sendable {
    case pause, resume, stop, stock

    func fields(_ typed: PageForm?, _ problems: [String: String], today: Day, _ reader: Reader) -> [FormField] {
        func field(_ name: String, _ input: FormField.Input, default usual: String = "") -> FormField {
            let label = reader.words["step.\(rawValue).\(name)"]
            return FormField(name, label, input, value: typed?[name] ?? usual, problem: problems[name])
        }
        func choice(_ name: String, _ words: [String]) -> FormField {
            var choice = field(name, .choice)
            choice.options = words.map { FormOption($0, reader.choice($0), isChosen: $0 == typed?[name]) }
            return choice
        }
        switch self {
        case .pause:
            return [
                field("from", .day, default: today.description), field("until", .day), field("why", .line),
            ]
        case .resume: return [field("from", .day, default: today.description)]
        case .stop:
            return [
                field("from", .day, default: today.description), choice("why", StopReason.allCases.map(\.rawValue)),
            ]
        case .stock:
            return [
                choice("what", Supply.What.allCases.map(\.rawValue)), field("amount", .number), field("at", .moment),
                field("expires", .day),
            ]
        }
    }

    /// Changes the plan as the form says; the stock is an entry of its own.
    func edit(_ content: inout EntryContent, _ typed: PageForm) throws {
        let from = WallMoment(day: try day("from", typed))
        switch self {
        case .pause:
            let until = typed["until"].isEmpty ? nil : WallMoment(day: try day("until", typed).adding(days: 1))
            content.pause(from: from, until: until, why: typed["why"].isEmpty ? nil : typed["why"])
        case .resume: try content.resume(at: from)
        case .stop: content.stop(at: from, why: StopReason(rawValue: typed["why"]) ?? .other)
        case .stock: break
        }
    }

    /// Returns the entry about the stock that the form describes.
    func supply(of plan: EntryState, _ typed: PageForm, _ reader: Reader, now: Instant) throws -> EntryContent {
        guard !reader.isAmbiguous(typed["amount"]),
            let amount = try? ExactDecimal(parsingAmount: reader.plainNumber(typed["amount"]))
        else {
            throw JournalError(.invalid, field: "amount", Message(verbatim: reader.words["amountNeeded"]))
        }
        var at = now
        if !typed["at"].isEmpty {
            guard let found = (try? WallMoment(parsing: typed["at"])).flatMap({ $0.instant(in: reader.zone) })
            else { throw JournalError(.invalid, field: "at", Message(verbatim: reader.words["startNeeded"])) }
            at = found
        }
        return EntryContent.supply(
            of: plan.id,
            Supply.What(rawValue: typed["what"]) ?? .received,
            amount,
            unit: plan.content.body.text(PlanFields.unit),
            expires: typed["expires"].isEmpty ? nil : try day("expires", typed),
            at: at
        )
    }

    private func day(_ name: String, _ typed: PageForm) throws -> Day {
        do {
            return try Day(parsing: typed[name])
        } catch {
            throw JournalError(.invalid, field: name, error.text)
        }
    }
}

extension WallMoment {
    /// The first instant at which the clocks of a zone show the day and the time; nil without a time.
    func instant(in zone: TimeZone) -> Instant? {
        time.flatMap { day.instants(atSecond: Int64($0.minutes) * 60, in: zone).first }
    }
}
