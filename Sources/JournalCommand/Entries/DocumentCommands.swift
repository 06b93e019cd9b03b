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
        abstract: "Attach files to a record, list them, and save them.",
        subcommands: [DocumentAttachCommand.self, DocumentListCommand.self, DocumentSaveCommand.self]
    )
}

/// Attaches a file to a record.
struct DocumentAttachCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "attach",
        abstract: "Attach a file to a record; it is stored encrypted.",
        discussion: "Example:  healthjournal document attach 018f2c3a lab-report.pdf --date 2025-03-06"
    )

    @OptionGroup var options: CommonOptions

    @OptionGroup var record: RecordArgument

    @Argument(help: "The file.", completion: .file())
    var file: String

    @Option(name: .long, help: "Its name in the journal (default: the file's name).")
    var name: String?

    @Option(name: .long, help: "Its media type, such as application/pdf.")
    var mediaType: String?

    @Option(name: .long, help: "The date of the document: a date, a month (2010-05) or a year (2010).")
    var date: String?

    @Option(name: .long, help: "A comment.")
    var comment: String = ""

    @OptionGroup var doubts: DoubtOptions

    func run(in session: Session) async throws {
        let bytes = try readFile(file, atMost: BlobStore.maximumBytes)
        var content = EntryContent(kind: Document.kind)
        try content.set("name", text: name ?? URL(fileURLWithPath: file).lastPathComponent)
        if let mediaType { try content.set("mediaType", text: mediaType) }
        if let date { try content.setDate(typed: date, in: session.output.typedZone) }
        try content.set("comment", text: comment)
        let record = try await record.id(in: session)
        try await doubts.ask(about: content.naming(bytes), in: record, session)
        let result = try await session.perform(.attachDocument(bytes, content, to: record))
        session.output.result(result, "attached the file as entry \(result.entry?.text ?? "")")
    }
}

/// Lists the documents of a record.
struct DocumentListCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the documents of a record, the latest last.",
        discussion: "Example:  healthjournal document list maria --since 2025"
    )

    @OptionGroup var record: RecordArgument
    @OptionGroup var moment: MomentOptions
    @OptionGroup var options: CommonOptions

    func run(in session: Session) async throws {
        let id = try await record.id(in: session)
        let moment = try moment.moment(in: session)
        let found = try await session.perform(.entries(of: id, Document.kind, moment, retracted: false))
        let documents = EntryOrder.date.sorted(found, limit: .max)
        if session.output.isJSON { return session.output.json(.array(documents.map(\.listed))) }
        var table = TextTable([
            .init("ENTRY"), .init("DATE"), .init("NAME"), .init("MEDIA TYPE"), .init("BYTES", .right),
            .init("COMMENT"),
        ])
        let length = UUID.lengthOfBeginnings(documents.map(\.id))
        for document in documents {
            let body = document.content.body
            let size = body.group(Document.content)?.integer(Document.size)
            table.add([
                String(document.id.text.prefix(length)), session.output.date(document.content.date),
                body.text(Document.name) ?? "", body.text(Document.mediaType) ?? "",
                size.map { String($0) } ?? "(missing)", document.content.comment,
            ])
        }
        session.output.table(table, ifEmpty: "there is no document that this account may see")
    }
}

/// Writes an attached file to a file.
struct DocumentSaveCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "save",
        abstract: "Write an attached file to a local file.",
        discussion: "Example:  healthjournal document save 018f2c3b report.pdf"
    )

    @OptionGroup var options: CommonOptions

    @OptionGroup var entry: EntryArgument

    @Argument(help: "The file to write, or - for standard output.", completion: .file())
    var file: String

    func run(in session: Session) async throws {
        let output = file == "-" ? nil : try OutputFile(file)
        let id = try await entry.id(in: session)
        let bytes = try await session.perform(.document(id))
        if let output {
            try output.write(bytes)
            session.output.note("wrote \(bytes.count) bytes to \(file)")
        } else {
            try session.output.stream(bytes)
        }
    }
}
