import ArgumentParser
import HealthJournal
import Interchange

/// Looks whether all is well.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Look whether all is well with the journal: its files, keys, index, views and disk.",
        discussion: """
            Example:  healthjournal doctor
            Whether anybody rewrote it is another question:  healthjournal-replay verify
            """
    )

    @OptionGroup var options: CommonOptions

    func run() async throws {
        try await FolderSession.run(options) { session in
            let findings = try await session.journal.examine(session.caller)
            if session.output.isJSON {
                session.output.json(.array(findings.map(\.listed)))
            } else {
                var table = TextTable([.init("WHAT"), .init("STATE"), .init("DETAIL")])
                for finding in findings {
                    table.add([finding.what, finding.isWell ? "well" : "UNWELL", finding.detail])
                }
                session.output.table(table, ifEmpty: "")
            }
            if findings.contains(where: { !$0.isWell }) { throw ExitCode(1) }
        }
    }
}

extension Finding {
    fileprivate var listed: JSONValue {
        .object([.init("what", .string(what)), .init("well", .bool(isWell)), .init("detail", .string(detail))])
    }
}
