import ArgumentParser
import Foundation
import HealthJournal
import HealthModel
import Interchange
import JournalServer

/// Commands on the lists of names.
struct NameCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "names",
        abstract: "Load lists of names of medication, and list them.",
        subcommands: [NameLoadCommand.self, NameListCommand.self]
    )
}

/// Loads a list of names.
struct NameLoadCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "load",
        abstract: "Load a list of names, such as the products of a country.",
        discussion: """
            Example:  healthjournal names load products.csv --name swiss --version 2026-03
            Each line is a substance with its products and a code, such as "Ibuprofen;Algifor,Brufen;M01AE01", or a \
            substance alone. A product is then found by its name, and checked for interactions as its substance. The file \
            replaces the list of the same name.
            """
    )

    @OptionGroup var options: CommonOptions

    @Argument(help: "The file, or - for standard input.", completion: .file())
    var file: String

    @Option(name: .long, help: "The name of the list (default: the file's name without its extension).")
    var name: String?

    @Option(name: .long, help: "The version of the list.")
    var version: String = ""

    func run(in session: Session) async throws {
        let bytes = try readFile(file, atMost: NameListFile.maximumBytes)
        let fileName = file == "-" ? "names" : URL(fileURLWithPath: file).deletingPathExtension().lastPathComponent
        let (result, names) = try await session.perform(
            .loadNames(bytes, named: name ?? fileName, version: version)
        )
        session.output.result(
            result,
            "loaded \(names.count) names: \(TerminalText.escaped(names.name))",
            adding: [.init("names", names.json)]
        )
    }
}

/// Lists the lists of names.
struct NameListCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the lists of names that were loaded.",
        discussion: "Example:  healthjournal names list"
    )

    @OptionGroup var options: CommonOptions

    func run(in session: Session) async throws {
        let lists = try await session.perform(NameEndpoints.lists)
        if session.output.isJSON {
            session.output.json(.array(lists.map(\.json)))
            return
        }
        var table = TextTable([
            .init("NAME"), .init("VERSION"), .init("NAMES", .right), .init("LOADED"), .init("USED"),
        ])
        for list in lists {
            table.add([
                list.name, list.version ?? "", String(list.count), session.output.time(list.loadedAt),
                list.isCurrent ? "yes" : "no",
            ])
        }
        session.output.table(table, ifEmpty: "no lists are loaded; the names that come with the program are used")
    }
}

/// Completes a name.
struct SuggestCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "suggest",
        abstract: "Complete the name of a medication or a supplement.",
        discussion: """
            Example:  healthjournal suggest lisin --record 018f2c3a
            Names of the record come first, then substances, then classes. From \(NameQuery.lettersForError) letters \
            on, one typing error is allowed.
            """
    )

    @OptionGroup var options: CommonOptions

    @Argument(help: "The beginning of the name.")
    var text: String

    @Option(name: .long, help: "The record whose names come first.")
    var record: String?

    @Option(
        name: .long,
        help: "The kind: drug, supplement, allergy or meal (default: drug and supplement).",
        completion: .list(["drug", "supplement", "allergy", "meal"])
    )
    var kind: String?

    func run(in session: Session) async throws {
        let kind = try kind.map { name in
            guard let kind = Kind.named(name) else {
                throw JournalError(.invalid, field: "kind", "there is no such kind of entry")
            }
            return kind
        }
        var id: UUID?
        if let record { id = try await session.journal.record(record) }
        let found = try await session.perform(NameEndpoints.suggest, TypedName(text, in: id, kind: kind))
        if session.output.isJSON {
            session.output.json(.array(found.map(\.json)))
            return
        }
        var table = TextTable([.init("NAME"), .init("SOURCE"), .init("SUBSTANCE"), .init("CLASSES")])
        for item in found.map(\.suggestion) {
            table.add([
                item.name, item.source.rawValue, item.substance ?? "", item.classes.joined(separator: ", "),
            ])
        }
        session.output.table(table, ifEmpty: "no name begins with that")
    }
}

/// Reads a dictated sentence.
struct DraftCommand: SessionCommand {
    static let configuration = CommandConfiguration(
        commandName: "draft",
        abstract: "Show how a sentence would be read into an entry; nothing is stored.",
        discussion: """
            Example:  healthjournal draft 018f2c3a "took two ibuprofen 400 at half past eight"
            """
    )

    @OptionGroup var options: CommonOptions
    @OptionGroup var record: RecordArgument

    @Argument(help: "The sentence, in English.")
    var text: String

    func run(in session: Session) async throws {
        let document = try await session.perform(NameEndpoints.draft, record.id(in: session), text)
        if session.output.isJSON {
            session.output.json(document.json)
            return
        }
        let draft = document.draft
        var table = TextTable([.init("HEARD"), .init("FIELD"), .init("VALUE")])
        if let kind = draft.content?.kind { table.add(["", "kind", kind.word]) }
        for part in draft.understood { table.add([part.heard, part.field, part.value]) }
        session.output.table(table, ifEmpty: "the sentence was not understood")
        if let name = draft.missingPlan {
            session.output.note("the record has no medication \(TerminalText.escaped(name)): add it first")
        }
        if !draft.rest.isEmpty {
            session.output.note("not understood: \(TerminalText.escaped(draft.rest.joined(separator: " ")))")
        }
    }
}
