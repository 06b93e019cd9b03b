import ArgumentParser
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange
import Platform

/// Exports a practice as a document of VetNet.
struct PracticeExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Export a practice with its patients and appointments as a document of VetNet.",
        discussion: """
            Example:  healthjournal practice export -o practice.json
            The document has what you may see: records that the practice has no access to are names alone, and the
            findings of triage are for those who treat. Each patient is a read of its record. Times are seconds since 2001.
            """
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var practice: PracticeOption

    @Option(name: .long, help: "The first day of appointments and triages (default: ten years ago).")
    var from: Day?

    @Option(name: .long, help: "The last day (default: in two years).")
    var to: Day?

    @Option(name: .shortAndLong, help: "The file to write (default: standard output).")
    var output: String?

    func run() async throws {
        try await Session.run(options) { session in
            let file = try output.map { path throws(StorageError) in try OutputFile(path) }
            let found = try await practice.document(in: session)
            let today = Day(of: session.journal.now)
            var writer = VetNetWriter(found, today: today)
            writer.specialists = try await session.perform(.specialists(of: found.id))
            writer.clients = try await session.perform(.clients(of: found.id))
            writer.patients = try await session.perform(.patients(of: found.id))
            for patient in writer.patients {
                do {
                    let moment = ReadMoment(asOf: nil, happenedBy: nil)
                    let answer = try await session.perform(.read(patient.record, moment))
                    if answer.sections.contains(.myhealth) { writer.records[patient.record] = answer.state }
                } catch let error as JournalError where error.code == .refused {
                    // Written without its history.
                }
                if writer.records[patient.record] == nil {
                    session.output.note("no access to the record of \(patient.name): only its name is written")
                }
            }
            let last = to ?? today.adding(years: 2)
            var start = from ?? today.adding(years: -10)
            // The service answers for a limited number of days at once.
            while start <= last {
                let days = start...min(last, start.adding(days: SlotQuestion.maximumDays - 1))
                let calendar = try await session.perform(.calendar(of: found.id, days, AppointmentFilter(), asOf: nil))
                // One over midnight is in the days before and after.
                let known = Set(writer.appointments.map(\.id))
                writer.appointments += calendar.appointments.filter { !known.contains($0.id) }
                if found.roles.contains(where: \.isClinical) {
                    writer.triages += try await session.perform(.triages(of: found.id, days, asOf: nil))
                }
                start = days.upperBound.adding(days: 1)
            }
            let bytes = Array((JSONWriter.text(writer.json, .pretty) + "\n").utf8)
            guard let file else { return session.output.data(bytes) }
            try file.write(bytes)
            session.output.note("wrote \(file.path)")
        }
    }
}
