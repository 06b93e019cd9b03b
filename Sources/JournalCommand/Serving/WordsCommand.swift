import ArgumentParser
import CommandRun
import JournalPages
import Platform

/// Prints the texts of the pages in one language, as a file that `serve --words` reads.
struct WordsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "words",
        abstract: "Print the texts of the pages in one language, to be translated into another.",
        discussion: """
            Example:  healthjournal words > pt.words
            Translate what stands behind the equals signs, and start the service with --words pt.words. A text that \
            the file lacks is shown in English.
            """
    )

    @Argument(help: "The language: en, de or fr (default: en).", completion: .list(["en", "de", "fr"]))
    var language = "en"

    func run() async throws {
        let all = Languages.builtIn.all.map(\.tag)
        guard let index = all.firstIndex(of: language) else {
            throw ValidationError("there are no texts in \(language); give one of \(all.joined(separator: ", "))")
        }
        // A thrown error is kept, and reported in the end.
        try? StandardOutput.write(Array(Languages.sources[index].utf8))
    }
}
