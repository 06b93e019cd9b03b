import ArgumentParser
import EventLog
import Foundation
import Glibc
import HealthJournal
import HealthModel
import Interchange
import Platform

/// Writes data to the standard output, and everything else to the standard error.
struct Output {
    let format: OutputFormat
    /// Whether each row of a table is one line, however wide the terminal is.
    let isWide: Bool
    /// The time zone in which tables show times; JSON has UTC.
    let zone: TimeZone
    /// The time zone of times that are typed without an offset, which `--utc` does not change: that of the journal or,
    /// through a service, of this machine.
    let typedZone: TimeZone

    init(_ format: OutputFormat, isWide: Bool = false, zone: TimeZone = .gmt, typedZone: TimeZone? = nil) {
        self.format = format
        self.isWide = isWide
        self.zone = zone
        self.typedZone = typedZone ?? zone
    }

    /// A time for a table.
    func time(_ instant: Instant) -> String { instant.text(in: zone) }

    /// The date of an entry for a table; empty if there is none.
    func date(_ date: OccurredDate?) -> String { date?.text(in: zone) ?? "" }

    var isJSON: Bool { format == .json }

    /// Prints data.
    func data(_ text: String) { data(Array(text.utf8)) }

    /// Prints bytes unchanged.
    func data(_ bytes: [UInt8]) {
        // Unbuffered, so that the reader of the output has each line before the next one is produced.
        try? FileHandle.standardOutput.write(contentsOf: Data(bytes))
    }

    /// Prints one line of data.
    func line(_ text: String) {
        data(text + "\n")
    }

    /// Prints a JSON value on lines of its own.
    func json(_ value: JSONValue, _ style: JSONWriter.Style = .pretty) {
        line(JSONWriter.text(value, style))
    }

    /// Prints a table with its headers; prints only the remark, on the standard error, if there are no rows.
    func table(_ table: TextTable, ifEmpty remark: String) {
        if table.rows.isEmpty { return note(remark) }
        let style = TextStyle(
            environment: ProcessEnvironment.variables,
            isTerminal: isatty(STDOUT_FILENO) != 0,
            columns: TerminalSize(of: STDOUT_FILENO)?.columns,
            isWide: isWide
        )
        page(table.text(style))
    }

    /// Prints text, page by page if it is longer than the terminal.
    func page(_ text: String) {
        let lines = text.utf8.count { $0 == UInt8(ascii: "\n") }
        guard let pager = Pager(for: lines, on: STDOUT_FILENO) else { return data(text) }
        // The write fails if the user quits the pager before the end; that is no error.
        try? FileHandle(fileDescriptor: pager.descriptor, closeOnDealloc: false).write(contentsOf: Data(text.utf8))
        pager.finish()
    }

    /// Prints a message to the user.
    func note(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data((text + "\n").utf8))
    }

    /// Prints a warning about a command that succeeded.
    func warn(_ text: String) {
        note("healthjournal: \(TerminalText.escaped(text))")
    }

    /// Prints the result of a change.
    func result(_ result: WriteResult, _ sentence: String, adding more: [JSONValue.Member] = []) {
        if isJSON {
            var members: [JSONValue.Member] = [.init("position", .integer(result.position))]
            if let record = result.record { members.append(.init("record", .string(record.text))) }
            if let entry = result.entry { members.append(.init("entry", .string(entry.text))) }
            if let account = result.account { members.append(.init("account", .string(account.text))) }
            if let id = result.id { members.append(.init("id", .string(id.text))) }
            members.append(.init("changed", .bool(result.isChanged)))
            json(.object(members + more), .compact)
        } else {
            line(result.isChanged ? "\(sentence) (position \(result.position))" : "nothing to change")
        }
    }

    /// Runs a command; an error is printed on the standard error and becomes the exit status.
    func reporting(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let exit as ExitCode {
            throw exit
        } catch let error as ValidationError {
            throw error
        } catch {
            let error = JournalError(error)
            if isJSON {
                var members: [JSONValue.Member] = [.init("error", .string(error.code.rawValue))]
                if let field = error.field { members.append(.init("field", .string(field))) }
                members.append(.init("message", .string(error.message)))
                if let taken = error.taken { members += taken.members }
                note(JSONWriter.text(.object(members)))
            } else {
                // A message about several faults has one line for each.
                let lines = error.description.split(separator: "\n", omittingEmptySubsequences: false)
                note("healthjournal: " + lines.map { TerminalText.escaped(String($0)) }.joined(separator: "\n  "))
                if let free = error.taken?.alternatives, !free.isEmpty {
                    note("free instead:")
                    for slot in free { note("  \(slot.wall)  \(TerminalText.escaped(slot.specialistName))") }
                }
            }
            throw ExitCode(error.exitStatus)
        }
    }
}

extension JournalError {
    /// The exit status of the command.
    var exitStatus: Int32 {
        switch code {
        case .notFound, .erased: 2
        case .refused, .subscriptionExpired, .conflict, .scheduleConflict, .slotTaken, .stale: 4
        case .invalid, .unauthenticated, .busy, .catchingUp, .damaged, .failed, .outdated, .notInstalled: 1
        }
    }
}
