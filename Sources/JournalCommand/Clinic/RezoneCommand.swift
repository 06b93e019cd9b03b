import ArgumentParser
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange
import JournalServer

/// Moves appointments back to the clock times that were agreed.
struct AppointmentRezoneCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "rezone",
        abstract: "Move appointments back to the clock times that were agreed, after the rules of a time zone changed.",
        discussion: """
            Example:  healthjournal appointment rezone --reason "new rules for summer time"
            healthjournal doctor says whether there are any. Those that no longer fit are listed and stay as they are.
            """
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var practice: PracticeOption

    @Option(name: .long, help: "How many days ahead.")
    var days = 365

    func validate() throws {
        guard (1...730).contains(days) else { throw ValidationError("--days must be between 1 and 730") }
    }

    func run(in session: Session) async throws {
        let practice = try await practice.document(in: session)
        var filter = AppointmentFilter()
        filter.onlyOpenQuestions = true
        var (moved, failed) = ([AppointmentDocument](), [(AppointmentDocument, String)]())
        let last = Day.today.adding(days: days)
        var first = Day.today
        while first <= last {
            let end = min(last, first.adding(days: SlotQuestion.maximumDays - 1))
            let calendar = try await session.perform(
                AppointmentEndpoints.calendar,
                practice.id,
                first...end,
                filter,
                nil
            )
            for item in calendar.appointments where item.problem != nil {
                do {
                    // A move to the time that it has changes nothing.
                    let back = AppointmentChange.move(to: .wall(item.details.wall), minutes: nil)
                    let result = try await session.perform(.change(appointment: item.id, back))
                    if result.isChanged { moved.append(item) }
                } catch {
                    failed.append((item, JournalError(error).message))
                }
            }
            first = end.adding(days: 1)
        }
        if session.output.isJSON {
            return session.output.json([
                "moved": .array(moved.map { .string($0.id.text) }),
                "failed": .array(failed.map { ["id": .string($0.0.id.text), "message": .string($0.1)] }),
            ])
        }
        for item in moved { session.output.line("moved back to \(item.details.wall): \(item.id.text)") }
        for (item, message) in failed {
            session.output.line("not moved, \(item.details.wall): \(item.id.text): \(message)")
        }
        if moved.isEmpty, failed.isEmpty { session.output.line("every appointment is at the time that was agreed") }
    }
}
