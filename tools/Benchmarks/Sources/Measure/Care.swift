import ArgumentParser
import JournalWork

struct DueDoses: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "due",
        abstract: "Compute what is due by 50 plans in one year."
    )
    func run() throws { print(try DueWork().run().line) }
}

struct Names: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Complete names among 20,000, and read dictated sentences."
    )
    func run() throws { print(try NameWork().run().line) }
}

struct Searches: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Search the entries of a household for words."
    )

    @OptionGroup var folder: WorkFolderOption

    @Option(help: "The number of records.")
    var records = 1

    @Option(help: "The number of entries.")
    var entries = 10_000

    @Option(help: "The file to which the texts of the entries are written, one entry a line.")
    var texts: String

    func run() throws {
        var work = SearchWork()
        (work.records, work.entries) = (records, entries)
        print(try waiting { [folder = folder.work, work, texts] in try await work.run(in: folder, texts: texts) }.line)
    }
}

struct ClinicBookings: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clinic",
        abstract: "Book appointments of a practice at once, and read its calendar and its free times."
    )

    @OptionGroup var folder: WorkFolderOption

    @Option(help: "The days of appointments after which the calendar is read again.")
    var days = 80

    func run() throws {
        print(try waiting { [folder = folder.work, days] in try await ClinicWork().run(in: folder, days: days) }.line)
    }
}

struct Exchange: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Import a document of FHIR R4, and export what it became."
    )

    @OptionGroup var folder: WorkFolderOption

    @Option(help: "The document.")
    var document: String

    @Flag(help: "Import nothing, and only make the report.")
    var dryRun = false

    func run() throws {
        var work = ExchangeWork(document: document)
        work.isTrial = dryRun
        print(try waiting { [folder = folder.work, work] in try await work.run(in: folder) }.line)
    }
}

struct Apple: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Import an export of Apple Health.")

    @OptionGroup var folder: WorkFolderOption

    @Option(help: "The archive, or the document in it.")
    var document: String

    func run() throws {
        let work = AppleWork(document: document)
        print(try waiting { [folder = folder.work] in try await work.run(in: folder) }.line)
    }
}
