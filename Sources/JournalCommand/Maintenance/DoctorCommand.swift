import ArgumentParser
import HealthJournal
import Interchange

/// Checks the journal's files, keys, index, views and disk.
struct DoctorCommand: FolderCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check the journal's files, keys, index, views and disk.",
        discussion: """
            Example:  healthjournal doctor
            To check whether the log was altered, use:  healthjournal-replay verify
            """
    )

    @OptionGroup var options: CommonOptions

    func run(in session: FolderSession) async throws {
        let findings = try await session.journal.maintenance.examine(session.caller)
        if session.output.isJSON {
            session.output.json(.array(findings.map(\.listed)))
        } else {
            var table = TextTable([.init("WHAT"), .init("STATUS"), .init("DETAIL")])
            for finding in findings {
                table.add([finding.what, finding.isOK ? "ok" : "error", finding.detail])
            }
            session.output.table(table, ifEmpty: "")
        }
        if findings.contains(where: { !$0.isOK }) { throw ExitCode(1) }
    }
}

extension Finding {
    fileprivate var listed: JSONValue {
        .object([.init("what", .string(what)), .init("ok", .bool(isOK)), .init("detail", .string(detail))])
    }
}
