import ArgumentParser
import EventLog
import Foundation
import HealthJournal
import HealthModel
import Interchange
import Platform

/// Groups the commands on attached files.
struct DocumentCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "document",
        abstract: "Attach files to a record, and save attached files.",
        subcommands: [DocumentAttachCommand.self, DocumentSaveCommand.self]
    )
}

/// Attaches a file to a record.
struct DocumentAttachCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attach",
        abstract: "Attach a file to a record; it is stored encrypted.",
        discussion: "Example:  healthjournal document attach 018f2c3a lab-report.pdf --date 2025-03-06"
    )

    @OptionGroup var options: CommonOptions

    @OptionGroup var record: RecordArgument

    @Argument(help: "The file.")
    var file: String

    @Option(name: .long, help: "Its name in the journal (default: the file's name).")
    var name: String?

    @Option(name: .long, help: "Its media type, such as application/pdf.")
    var mediaType: String?

    @Option(name: .long, help: "The date of the document: a date, a month (2010-05) or a year (2010).")
    var date: String?

    @Option(name: .long, help: "A comment.")
    var comment: String = ""

    func run() async throws {
        try await Session.run(options) { session in
            let bytes = try readFile(file, atMost: BlobStore.maximumBytes)
            var content = EntryContent(kind: Document.kind)
            try content.set("name", text: name ?? URL(fileURLWithPath: file).lastPathComponent)
            if let mediaType { try content.set("mediaType", text: mediaType) }
            if let date { try content.set("date", text: date) }
            try content.set("comment", text: comment)
            let record = try await record.id(in: session)
            let result = try await session.perform(.attachDocument(bytes, content, to: record))
            session.output.result(result, "attached the file as entry \(result.entry?.text ?? "")")
        }
    }
}

/// Writes an attached file to a file.
struct DocumentSaveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "save",
        abstract: "Write an attached file to a local file.",
        discussion: "Example:  healthjournal document save 018f2c3b report.pdf"
    )

    @OptionGroup var options: CommonOptions

    @Argument(help: "The entry's id.")
    var entry: String

    @Argument(help: "The file to write, or - for standard output.")
    var file: String

    func run() async throws {
        try await Session.run(options) { session in
            let output = file == "-" ? nil : try OutputFile(file)
            let id = try await session.journal.entry(entry)
            let bytes = try await session.perform(.document(id))
            if let output {
                try output.write(bytes)
                session.output.note("wrote \(bytes.count) bytes to \(file)")
            } else {
                try FileHandle.standardOutput.write(contentsOf: Data(bytes))
            }
        }
    }
}
