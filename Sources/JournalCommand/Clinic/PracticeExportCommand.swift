import ArgumentParser
import CommandRun
import FoundationEssentials
import HealthJournal
import HealthModel
import Interchange
import JournalServer
import Platform

/// Exports a practice as a document of VetNet, or as resources of FHIR.
struct PracticeExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Export a practice with its patients and appointments as a document of VetNet, or as FHIR R4.",
        discussion: """
            Example:  healthjournal practice export -o practice.json
            Example:  healthjournal practice export --document fhir --from 2027-03-01 --to 2027-03-31 -o march.json
            The document has what you may see: records that the practice has no access to are names alone, and the \
            findings of triage are for those who treat. Each patient is a read of its record. In documents of VetNet, \
            times are seconds since 2001. In FHIR they are dates with the practice's offset; the waiting list, blocked \
            times and, with --service, the free times of the next days are included.
            """
    )

    @OptionGroup(title: HelpText.commonOptions) var place: LocationOptions
    @OptionGroup var practice: PracticeOption

    @Option(name: .long, help: "The format of the document: vetnet (default) or fhir.")
    var document: Format?

    @Option(
        name: .customLong("as"),
        help: "Act as this account, by name or id. Also takes a format, as earlier versions did."
    )
    var asValues: [String] = []

    @Option(name: .long, help: "The first day of appointments and triages (default: ten years ago).")
    var from: Day?

    @Option(name: .long, help: "The last day (default: in two years).")
    var to: Day?

    @Option(name: .long, help: "With --document fhir: a service whose free times are included, by name or id.")
    var service: String?

    @Option(name: .long, help: "How errors are printed: table (text) or json.")
    var format: OutputFormat = .table

    @Option(name: .long, help: "The reason; it is recorded with the reads.")
    var reason: String = ""

    @Option(name: .shortAndLong, help: "The file to write (default: standard output).", completion: .file())
    var output: String?

    /// The format of an exported practice.
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case vetnet, fhir
    }

    func run() async throws {
        guard let former = FormerAs(asValues, isChosen: document != nil, { Format(rawValue: $0) }) else {
            throw ValidationError("give --document vetnet or --document fhir once, and --as with an account once")
        }
        let format = document ?? former.choice ?? .vetnet
        if service != nil, format != .fhir { throw ValidationError("--service needs --document fhir") }
        let work = Work(place: place, account: former.account, reason: reason, format: self.format)
        try await Session.run(work) { session in
            let file = try output.map { path throws(StorageError) in try OutputFile(path) }
            let contents = try await contents(in: session, for: format)
            let json = format == .fhir ? PracticeFHIRWriter.json(contents) : VetNetWriter(contents).json
            let bytes = Array((JSONWriter.text(json, .pretty) + "\n").utf8)
            guard let file else { return session.output.data(bytes) }
            try file.write(bytes)
            session.output.note("wrote \(file.path)")
        }
    }

    /// Reads what the caller may see of the practice.
    private func contents(in session: Session, for format: Format) async throws -> PracticeContents {
        let found = try await practice.document(in: session)
        let now = session.journal.now
        let today = TimeZone(identifier: found.profile.zone).map { Day(of: now, in: $0) } ?? Day(of: now)
        let first = from ?? today.adding(years: -10)
        let last = to ?? today.adding(years: 2)
        guard first <= last else { throw JournalError(.invalid, field: "to", "is before the first day") }
        var contents = PracticeContents(found, days: first...last, now: now, today: today)
        contents.specialists = try await session.perform(SpecialistEndpoints.list, found.id, nil)
        contents.clients = try await session.perform(ClientEndpoints.list, found.id, nil)
        contents.patients = try await session.perform(PatientEndpoints.list, found.id, format == .vetnet, nil)
        try await readRecords(of: &contents, in: session)
        var start = first
        var seen: Set<UUID> = []
        var seenBusy: Set<BusyDocument> = []
        // The service answers for a limited number of days at once.
        while start <= last {
            let days = start...min(last, start.adding(days: SlotQuestion.maximumDays - 1))
            let calendar = try await session.perform(
                AppointmentEndpoints.calendar,
                found.id,
                days,
                AppointmentFilter(),
                nil
            )
            // One over midnight is in the days before and after.
            contents.appointments += calendar.appointments.filter { seen.insert($0.id).inserted }
            contents.busy += calendar.busy.filter { seenBusy.insert($0).inserted }
            if found.roles.contains(where: \.isClinical) {
                contents.triages += try await session.perform(TriageEndpoints.list, found.id, days, nil)
            }
            start = days.upperBound.adding(days: 1)
        }
        if format == .fhir {
            try await readTimes(of: &contents, in: session)
        } else {
            try await readSources(of: &contents, in: session)
        }
        let patients = Set(contents.patients.map(\.record))
        let former = contents.appointments.count { !patients.contains($0.record) }
        if former > 0 {
            let times = format == .fhir ? "; their times are written as taken" : ""
            session.output.note("\(former) appointments of former patients are left out\(times)")
        }
        return contents
    }

    /// Reads what the documents say from which parts were imported.
    private func readSources(of contents: inout PracticeContents, in session: Session) async throws {
        let practice = contents.practice.id
        let ids =
            [practice] + contents.specialists.map(\.id) + contents.clients.map(\.id) + contents.appointments.map(\.id)
            + contents.triages.map(\.id)
        for start in stride(from: 0, to: ids.count, by: Journal.Practices.maximumSources) {
            let part = Array(ids[start..<min(start + Journal.Practices.maximumSources, ids.count)])
            for source in try await session.perform(PatientEndpoints.sources, practice, part) {
                contents.sources[source.id] = source
            }
        }
    }

    private func readRecords(of contents: inout PracticeContents, in session: Session) async throws {
        for patient in contents.patients {
            do {
                let moment = ReadMoment()
                let answer = try await session.perform(.read(patient.record, moment))
                if answer.sections.contains(.myhealth) { contents.records[patient.record] = answer.state }
            } catch let error as JournalError where error.code == .refused {
                // Written without its history.
            }
            if contents.records[patient.record] == nil {
                session.output.note("no access to the record of \(patient.name): only its name is written")
            }
        }
    }

    /// Reads the waiting list, the blocked times of rooms, and the free times of the service that was asked for.
    private func readTimes(of contents: inout PracticeContents, in session: Session) async throws {
        let practice = contents.practice
        contents.waiting = try await session.perform(ClientEndpoints.waiting, practice.id, nil)
        for room in practice.places where room.endedAt == nil {
            contents.blocked[room.id] = try await session.perform(PracticeEndpoints.blockedTimes, practice.id, room.id)
        }
        guard let service else { return }
        let first = max(contents.days.lowerBound, contents.today)
        let last = min(contents.days.upperBound, first.adding(days: SlotQuestion.maximumDays - 1))
        guard first <= last else { return }
        let id = try practice.service(service)
        for day in (first...last).all {
            let asked = FreeSlotRequest(practice: practice.id, service: id, days: day...day)
            let found = try await session.perform(AppointmentEndpoints.slots, asked)
            if found.slots.count == SlotQuestion.maximumSlots {
                session.output.note("only the first \(SlotQuestion.maximumSlots) free times of \(day) are written")
            }
            contents.free.append(found)
        }
    }
}
