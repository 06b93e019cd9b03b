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
