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

    /// The beginning and the end of a time.
    func times(_ span: TimeSpan) -> String { "\(time(span.start))–\(time(span.end))" }

    /// The date of an entry for a table; empty if there is none.
    func date(_ date: OccurredDate?) -> String { date?.text(in: zone) ?? "" }

    var isJSON: Bool { format == .json }

    /// Prints data.
    func data(_ text: String) { data(Array(text.utf8)) }

    /// Prints bytes unchanged.
    func data(_ bytes: [UInt8]) {
        // A failure is kept and reported when the command has finished, because what the command does to the journal
        // must not stop halfway.
        try? stream(bytes)
    }

    /// Prints a part of a long output; throws if it cannot be written, so that no more of it is produced.
    func stream(_ bytes: [UInt8]) throws(StandardOutput.Failure) {
        // Unbuffered, so that the reader of the output has each line before the next one is produced.
        try StandardOutput.write(bytes)
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
        do throws(StorageError) {
            try DescriptorWriter.write(Array(text.utf8), to: pager.descriptor, during: "write to the pager")
        } catch {
            // The write also fails if the user quits the pager before the end; that is no error.
            if !error.isReaderGone { StandardOutput.keep(error) }
        }
        pager.finish()
    }

    /// Prints a message to the user.
    func note(_ text: String) {
        // There is no other place to report to if the standard error fails; the exit status still tells.
        try? FileHandle.standardError.write(contentsOf: Data((text + "\n").utf8))
    }

    /// Prints a warning about a command that succeeded.
    func warn(_ text: String) {
        note("healthjournal: \(TerminalText.escaped(text))")
    }

    /// Warns of a microchip number that is unusual; it is kept as it is.
    func warnOfMicrochip(_ number: String?) {
        guard let doubt = number.flatMap({ MicrochipNumber.doubt(about: $0) }) else { return }
        warn("warning: \(doubt.text)")
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
            try StandardOutput.check()
        } catch let exit as ExitCode {
            throw exit
        } catch let error as ValidationError {
            throw error
        } catch StandardOutput.Failure.readerGone {
            throw ExitCode.success
        } catch {
            let error = Self.outputError(error) ?? JournalError(error)
            if isJSON {
                var members: [JSONValue.Member] = [.init("error", .string(error.code.rawValue))]
                if let field = error.field { members.append(.init("field", .string(field))) }
                members.append(.init("message", .string(error.message)))
                if let taken = error.taken { members += taken.members }
                if !error.conflicts.isEmpty {
                    members.append(.init("conflicts", .array(error.conflicts.map(\.json))))
                }
                note(JSONWriter.text(.object(members)))
            } else {
                // A message about several faults has one line for each.
                let lines = error.description.split(separator: "\n", omittingEmptySubsequences: false)
                note("healthjournal: " + lines.map { TerminalText.escaped(String($0)) }.joined(separator: "\n  "))
                for conflict in error.conflicts.dropFirst() {
                    note("  also \(TerminalText.escaped(conflict.sentence))")
                }
                if let free = error.taken?.alternatives, !free.isEmpty {
                    note("free instead:")
                    for slot in free { note("  \(slot.wall)  \(TerminalText.escaped(slot.specialistName))") }
                }
            }
            throw ExitCode(error.exitStatus)
        }
    }

    /// The error to report if the standard output could not be written; nil for any other error.
    private static func outputError(_ error: any Error) -> JournalError? {
        guard error is StandardOutput.Failure, let error = StandardOutput.takeError() else { return nil }
        return JournalError(
            .failed,
            "\(error); the output is incomplete, but what the command changed in the journal stays changed"
        )
    }
}

extension JournalError {
    /// The exit status of the command.
    var exitStatus: Int32 {
        switch code {
        case .notFound, .erased: 2
        case .refused, .subscriptionExpired, .conflict, .scheduleConflict, .slotTaken, .stale: 4
        case .invalid, .unauthenticated, .busy, .catchingUp, .damaged, .diskFull, .failed, .outdated, .notInstalled,
            .remoteFailed:
            1
        }
    }
}
