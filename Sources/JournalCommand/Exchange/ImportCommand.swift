import ArgumentParser
import EventLog
import Foundation
import HealthJournal
import HealthModel
import Interchange

/// Groups the commands that import documents.
struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import a document: all of it or nothing, and only data that the journal does not contain yet.",
        subcommands: [
            ImportPurusCommand.self, ImportMangoCommand.self, ImportVetNetCommand.self, ImportNativeCommand.self,
            ImportFHIRCommand.self, ImportCSVCommand.self, ImportAppleCommand.self, ImportVCardCommand.self,
            ImportListCommand.self,
            ImportUndoCommand.self,
        ]
    )
}

/// Imports a Purus Health document.
struct ImportPurusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "purus",
        abstract: "Import a Purus Health document, in its CloudKit shape or its models shape.",
        discussion: """
            Example:  healthjournal import purus maria.cloudkit.json
            Example:  healthjournal import purus jonas.models.json --epoch reference --dry-run

            CloudKit documents count seconds from 1970 (unix), the models shape from 2001 (reference).
            """
    )

    @OptionGroup var options: CommonOptions

    @Argument(help: "The document, or - for standard input.", completion: .file())
    var file: String

    @Option(name: .long, help: "The start of the document's time count: unix (1970) or reference (2001).")
    var epoch: Epoch = .unix

    @Option(name: .long, help: "The IANA time zone of birthdates (default: this machine's).")
    var zone: String?

    @Option(name: .long, help: "The ISO 4217 currency of costs without one; they are marked as guessed.")
    var currency: String?

    @Flag(name: .long, help: "Show what would be imported, and import nothing.")
    var dryRun = false

    func run() async throws {
        let zone = try zone.map { name in
            guard let zone = TimeZone(identifier: name) else {
                throw ValidationError("there is no time zone with that name")
            }
            return zone
        }
        try await FolderSession.run(options, source: .import) { session in
            let bytes = try readFile(file, atMost: JSONReader.maximumBytes)
            let purus = try PurusOptions(
                epoch: epoch.value,
                zone: zone ?? .current,
                now: session.journal.now,
                namespaces: session.journal.imports.purusNamespaces(isTrial: dryRun)
            )
            let document = try PurusDocument.read(bytes, options: purus)
            let report = try await session.journal.imports.take(
                document,
                currency: currency,
                digest: BlobStore.digest(of: bytes),
                isTrial: dryRun,
                session.caller
            )
            try session.output.report([report], isTrial: dryRun)
        }
    }

    enum Epoch: String, ExpressibleByArgument, CaseIterable {
        case unix
        case reference

        var value: PurusOptions.Epoch { self == .unix ? .unix : .reference }
    }
}

/// Imports a document of Mango Health.
struct ImportMangoCommand: FolderCommand {
    static let configuration = CommandConfiguration(
        commandName: "mango",
        abstract: "Import a document of Mango Health: the tree /users/{id}/… of its database as one JSON object.",
        discussion: """
            Example:  healthjournal import mango users.json --dry-run
            Example:  healthjournal import mango me.json --own

            Each user becomes an account with one record. The account is the one to which the user's identity is \
            linked, or a new one; with --own, and for any account but the journal's owner, the acting account. Times \
            are ISO 8601, seconds since 2001, or {"seconds": …, "nanoseconds": …}.
            """
    )

    @OptionGroup var options: CommonOptions

    @Argument(help: "The document, or - for standard input.", completion: .file())
    var file: String

    @Option(name: .long, help: "The provider of the users' identities, as in its tokens (iss).")
    var issuer: String = MangoDocument.issuer

    @Flag(name: .long, help: "Import the only user of the document for the acting account.")
    var own = false

    @Flag(name: .long, help: "Show what would be imported, and import nothing.")
    var dryRun = false

    var eventSource: EventSource { .import }

    func run(in session: FolderSession) async throws {
        let bytes = try readFile(file, atMost: JSONReader.maximumBytes)
        let users = try MangoDocument.read(bytes, options: session.journal.imports.mangoOptions(isTrial: dryRun))
        let reports = try await session.journal.imports.take(
            users,
            issuer: issuer,
            isOwn: own,
            isTrial: dryRun,
            session.caller
        )
        try session.output.report(reports, isTrial: dryRun)
    }
}

/// Imports practices of VetNet.
struct ImportVetNetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vetnet",
        abstract: "Import practices of VetNet with their specialists, clients, patients, appointments and assessments.",
        discussion: """
            Example:  healthjournal import vetnet practices.json --zone Europe/Zurich --dry-run

            The document is {"practices": [...]}, with the entities as the app encodes them. You become the manager of \
            a new practice, which keeps the records of its patients. Appointments that are ahead are booked like any \
            other; those that do not fit are listed, and a repeated import tries them again. Exit status 4: some did \
            not fit.
            """
    )

    @OptionGroup var options: CommonOptions

    @Argument(help: "The document, or - for standard input.", completion: .file())
    var file: String

    @Option(name: .long, help: "The start of the document's time count: reference (2001) or unix (1970).")
    var epoch: ImportPurusCommand.Epoch = .reference

    @Option(name: .long, help: "The IANA time zone of practices that name none (default: the journal's).")
    var zone: String?

    @Flag(name: .long, help: "Show what would be imported, and import nothing.")
    var dryRun = false

    func run() async throws {
        if let zone, TimeZone(identifier: zone) == nil {
            throw ValidationError("there is no time zone with that name")
        }
        try await FolderSession.run(options, source: .import) { session in
            let bytes = try readFile(file, atMost: JSONReader.maximumBytes)
            // Before a key of any patient is created, from which ids are derived.
            try await session.journal.access.require(.importRecords, session.caller)
            let read = VetNetOptions(
                epoch: epoch.value,
                zone: zone ?? session.journal.zone.identifier,
                now: session.journal.now,
                entries: try session.journal.imports.namespaces(of: "vetnet", isTrial: dryRun).entries
            ) { instant, zone in
                let seconds = TimeInterval(instant.microseconds) / TimeInterval(Instant.microsecondsPerSecond)
                let offset = TimeZone(identifier: zone)?.secondsFromGMT(for: Date(timeIntervalSince1970: seconds)) ?? 0
                let local = instant.microseconds + Int64(offset) * Instant.microsecondsPerSecond
                return Day(of: Instant(microseconds: local))
            }
            var reports: [VetNetReport] = []
            for practice in try VetNetDocument.read(bytes, options: read) {
                reports.append(try await session.journal.practices.take(practice, isTrial: dryRun, session.caller))
                if let report = reports.last { session.output.report(report, isTrial: dryRun) }
            }
            if reports.contains(where: { !$0.refused.isEmpty }) { throw ExitCode(4) }
        }
    }
}

/// Imports a native document.
struct ImportNativeCommand: FolderCommand {
    static let configuration = CommandConfiguration(
        commandName: "native",
        abstract: "Import a document that a health journal has exported.",
        discussion: """
            Example:  healthjournal import native maria.json --dry-run

            An older export of this journal undoes nothing: changes made here after the export are kept and listed.
            """
    )

    @OptionGroup var options: CommonOptions

    @Argument(help: "The document, or - for standard input.", completion: .file())
    var file: String

    @Flag(name: .long, help: "Show what would be imported, and import nothing.")
    var dryRun = false

    var eventSource: EventSource { .import }

    func run(in session: FolderSession) async throws {
        let (documents, digest) = try read(now: session.journal.now)
        let reports = try await session.journal.imports.take(
            consume documents,
            digest: digest,
            isTrial: dryRun,
            session.caller
        )
        try session.output.report(reports, isTrial: dryRun)
    }

    /// Reads the document; its bytes are not needed any more when its entries are appended.
    private func read(now: Instant) throws -> (documents: [ImportedRecord], digest: String) {
        let bytes = try readFile(file, atMost: JSONReader.maximumBytes)
        return (try NativeDocument.readAll(bytes, now: now), BlobStore.digest(of: bytes))
    }
}

extension Output {
    /// Prints what an import did to each record, and then what became of the journal; throws exit status 3 if a part of the
    /// document could not be read.
    func report(_ reports: [ImportReport], isTrial: Bool) throws {
        for report in reports {
            if isJSON { json(report.json(isTrial: isTrial), .compact) } else { lines(of: report) }
        }
        if !isJSON { conclude(reports, isTrial: isTrial) }
        if reports.contains(where: { !$0.faults.isEmpty }) { throw ExitCode(3) }
    }

    private func conclude(_ reports: [ImportReport], isTrial: Bool) {
        if isTrial {
            note("nothing was imported: this was a dry run")
        } else if let position = reports.compactMap(\.position).max() {
            line("the journal is now at position \(position)")
        } else {
            line("nothing to append: the journal contains all of it already")
        }
    }

    private func lines(of report: ImportReport) {
        line(
            "record \(report.record.text)\(report.isNewRecord ? " (new)" : report.isProfileChanged ? " (changed)" : "")"
        )
        let kept = report.kept > 0 ? ", kept (changed here since) \(report.kept)" : ""
        let retracted = report.retracted > 0 ? ", retracted \(report.retracted)" : ""
        let older = report.older > 0 ? ", older than known \(report.older)" : ""
        line(
            "added \(report.added), corrected \(report.corrected), unchanged \(report.unchanged)\(retracted)\(kept)\(older)"
        )
        if !report.foreign.isEmpty {
            let types = report.foreign.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            line(
                "kept as they came: "
                    + types.map { "\(TerminalText.escaped($0.key)) \($0.value)" }.joined(separator: ", ")
            )
        }
        if report.possibleDuplicates > 0 {
            line("may be in the record already, from another source: \(report.possibleDuplicates)")
        }
        if report.unresolved > 0 {
            line("references to what neither the document nor the journal contains: \(report.unresolved)")
        }
        for fault in report.faults {
            let what = fault.isKept ? "not readable, and kept as it came" : "left out"
            line("\(what): \(TerminalText.escaped(fault.error.description))")
        }
        if !report.skipped.isEmpty {
            line("skipped, because they contain nothing to import: \(report.skipped.joined(separator: ", "))")
        }
        for item in report.doubts { line("in doubt: \(TerminalText.escaped("\(item.path): \(item.doubt.text)"))") }
        if !report.missingFiles.isEmpty {
            line(
                "files that are not in the document and not here, of documents: "
                    + report.missingFiles.map(\.text).joined(separator: ", ")
            )
            line("  to open such a document, attach its file to the record:  healthjournal document attach RECORD FILE")
        }
        if report.partialDates > 0 { line("dates that are only a month or a year: \(report.partialDates)") }
        for change in report.changes { line("  \(TerminalText.escaped(change.description))") }
        if !report.unrepresented.isEmpty {
            line("stored without interpretation: \(TerminalText.escaped(report.unrepresented.joined(separator: ", ")))")
        }
        if !report.contradictions.isEmpty {
            line(
                "contradicts other values, both stored: "
                    + TerminalText.escaped(report.contradictions.joined(separator: ", "))
            )
        }
    }
}

extension Output {
    fileprivate func report(_ report: VetNetReport, isTrial: Bool) {
        if isJSON { return json(report.json(isTrial: isTrial), .compact) }
        line("practice \(report.practice.text), \(TerminalText.escaped(report.name))\(report.isNew ? " (new)" : "")")
        let added = report.added
        line(
            """
            added: specialists \(added.specialists), clients \(added.clients), patients \(added.patients), \
            appointments \(added.appointments), assessments \(added.assessments); known before: \(report.known)
            """
        )
        for refused in report.refused {
            line("not booked: \(refused.path): \(TerminalText.escaped(refused.message))")
        }
        if !report.unrepresented.isEmpty {
            line(
                "kept as it came, without a field: "
                    + TerminalText.escaped(report.unrepresented.joined(separator: ", "))
            )
        }
        if isTrial {
            note(
                "nothing was imported: this was a dry run; whether the times of appointments are free is known when they are booked"
            )
        } else if let position = report.position {
            line("the journal is now at position \(position)")
        } else {
            line("nothing to append: the journal contains all of it already")
        }
    }
}

extension VetNetReport {
    fileprivate func json(isTrial: Bool) -> JSONValue {
        .present([
            "practice": .string(practice.text), "name": .string(name), "new": .bool(isNew), "dryRun": .bool(isTrial),
            "specialists": .integer(added.specialists), "clients": .integer(added.clients),
            "patients": .integer(added.patients), "appointments": .integer(added.appointments),
            "assessments": .integer(added.assessments), "known": .integer(known),
            "refused": .array(refused.map { ["path": .string($0.path), "message": .string($0.message)] }),
            "notImported": .array(unrepresented.map { .string($0) }), "position": position.map { .integer($0) },
        ])
    }
}

extension ImportChange {
    /// Describes the change in one line: what happens to which entry, and the differences.
    fileprivate var description: String {
        let subject = entry.map { "\(kind?.word ?? "entry") \($0.text)" } ?? "profile"
        let differences = fields.map { "\($0.label): \($0.before ?? "nothing") → \($0.after ?? "nothing")" }
        let summary = differences.joined(separator: "; ")
        let alike = sameAs.map { " (may be the same as entry \($0.text))" } ?? ""
        return switch what {
        case .added, .corrected: "\(what.rawValue) \(subject): \(summary)\(alike)"
        case .retracted: "retracted \(subject)"
        case .kept:
            "kept \(entry == nil ? "the profile, which differs here" : "\(subject), which was changed here since")"
                + (summary.isEmpty ? "" : " (here → in the document): \(summary)")
        }
    }
}
