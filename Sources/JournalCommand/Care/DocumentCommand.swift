import ArgumentParser
import EventLog
import Foundation
import HealthJournal
import HealthModel
import Interchange

/// Attached files.
struct DocumentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "document",
        abstract: "Attach files to a record, and get them back.",
        subcommands: [DocumentAttachCommand.self, DocumentSaveCommand.self]
    )
}

/// Attaches a file.
struct DocumentAttachCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attach",
        abstract: "Keep a file, sealed, with a record.",
        discussion: "Example:  healthjournal document attach 018f2c3a lab-report.pdf --date 2025-03-06"
    )

    @OptionGroup var options: CommonOptions

    @Argument(help: "The record's id.")
    var record: String

    @Argument(help: "The file.")
    var file: String

    @Option(name: .long, help: "Its name in the journal (else the file's).")
    var name: String?

    @Option(name: .long, help: "Its media type, as application/pdf.")
    var mediaType: String?

    @Option(name: .long, help: "The date of the document.")
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
            let record = try await session.journal.record(record)
            let result = try await session.journal.attachDocument(bytes, content, to: record)
            session.output.result(result, "attached the file as entry \(result.entry?.text ?? "")")
        }
    }
}

/// Gives a file back.
struct DocumentSaveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "save",
        abstract: "Write an attached file to a file of your own.",
        discussion: "Example:  healthjournal document save 018f2c3b report.pdf"
    )

    @OptionGroup var options: CommonOptions

    @Argument(help: "The entry's id.")
    var entry: String

    @Argument(help: "The file to write, or - for standard output.")
    var file: String

    func run() async throws {
        try await Session.run(options) { session in
            let id = try await session.journal.entry(entry)
            let bytes = try await session.journal.document(id)
            if file == "-" {
                try FileHandle.standardOutput.write(contentsOf: Data(bytes))
            } else {
                try OutputFile.write(bytes, to: file)
                session.output.note("wrote \(bytes.count) bytes to \(file)")
            }
        }
    }
}
