import Foundation
import HealthModel
import Testing

@testable import JournalPages

@Suite("Languages")
struct LanguageTests {
    private static let translations = Languages.builtIn.all.filter { $0.tag != "en" }

    /// A name that only a translation has: a message of the model, or the plural of a unit.
    private func isOwn(_ name: String) -> Bool {
        name.hasPrefix(MessageTemplates.prefix) || name.hasPrefix("unitPlural.")
    }

    @Test("No text is missing in a language, none is left over, and each has the same placeholders")
    func complete() throws {
        #expect(Languages.builtIn.all.map(\.tag) == ["en", "de", "fr"])
        let english = Languages.builtIn.english.texts
        for (source, language) in zip(Languages.sources.dropFirst(), Self.translations) {
            let texts = try Words.texts(in: Array(source.utf8))
            #expect(texts["languageTag"] == language.tag)
            let missing = english.keys.filter { texts[$0] == nil }.sorted()
            #expect(missing.isEmpty, "\(language.tag) lacks \(missing)")
            for (name, text) in english {
                guard let translated = texts[name] else { continue }
                #expect(Words.placeholders(in: translated) == Words.placeholders(in: text), "\(language.tag): \(name)")
                #expect(!translated.trimmingCharacters(in: .whitespaces).isEmpty, "\(language.tag): \(name)")
            }
            for name in texts.keys where !isOwn(name) {
                #expect(english[name] != nil, "\(language.tag): nothing uses \(name)")
            }
        }
    }

    @Test("Each language translates the same messages, with the placeholders of the English text")
    func messages() throws {
        let names = Self.translations.map { Set($0.texts.keys.filter { $0.hasPrefix(MessageTemplates.prefix) }) }
        #expect(names[0].count > 300)
        for (other, language) in zip(names, Self.translations) {
            #expect(other == names[0], "\(language.tag): \(other.symmetricDifference(names[0]).sorted())")
            for name in other {
                #expect(
                    Words.placeholders(in: language.texts[name] ?? "") == Words.placeholders(in: name),
                    "\(language.tag): \(name)"
                )
            }
        }
    }

    @Test("Nearly no text of a translation is the same as in English")
    func translated() {
        let english = Languages.builtIn.english.texts
        for language in Self.translations {
            let same = english.filter { name, text in language.texts[name] == text && text.count > 12 }
            #expect(same.count < 20, "\(language.tag): \(same.keys.sorted())")
        }
    }

    @Test("A message is recognised by its whole text, and its varying parts are translated if they are known")
    func matched() throws {
        let file = """
            message.is required = ist erforderlich
            message.must be {0} = muss {0} sein
            message.must be between {0} and {1} = muss zwischen {0} und {1} liegen
            message.a number = eine Zahl
            label.Weight = Gewicht
            labelled = {0}: {1}

            """
        let words = try Words(parsing: Array(file.utf8))
        #expect(words.message(recognizing: "is required") == "ist erforderlich")
        #expect(words.sentence(recognizing: "must be between 1 and 9") == "Muss zwischen 1 und 9 liegen.")
        #expect(words.message(recognizing: "must be a number") == "muss eine Zahl sein")
        #expect(words.message(recognizing: "must be Weight") == "muss Gewicht sein")
        #expect(words.sentence("is required", of: "weight") == "Gewicht: ist erforderlich.")
        // A template that fits everything is used only if no English would remain.
        #expect(words.message(recognizing: "must be chosen") == "must be chosen")
        #expect(words.message(recognizing: "must be 7") == "muss 7 sein")
        // Text around a known message, or a part of one, is not that message.
        #expect(words.message(recognizing: "it is required") == "it is required")
        #expect(words.message(recognizing: "must be ") == "must be ")
        #expect(words.message(recognizing: "unknown") == "unknown")
    }

    @Test("A message is found by its key, whatever its parts say, and messages within it are translated too")
    func keys() throws {
        let german = try #require(Self.translations.first { $0.tag == "de" })
        let position = 812
        let sentence: Message = "record \("018f"): erased on \("2026-11-30") (position \(position))"
        #expect(german.message(sentence) == "Akte 018f: gelöscht am 2026-11-30 (Position 812)")
        let explained: Message = "\(sentence): \("asked for: {0} and {9}")"
        let erasure: Message = "\(sentence): \("Weight")"
        #expect(german.message(erasure).hasSuffix(": Weight"), "a person's reason is no label")
        #expect(
            german.message(explained) == "Akte 018f: gelöscht am 2026-11-30 (Position 812): asked for: {0} and {9}",
            "what a person wrote is not filled in"
        )
        #expect(german.sentence("only the account \("owner") may do that") == "Das darf nur das Konto owner.")
    }

    @Test(
        "Sentences of rule sets and of people stay as they are, although a message has the same form",
        arguments: [
            "There is no known interaction", "Alcohol is no longer advised", "Warfarin is missing",
            "Note: see a doctor",
            "A child must be a whole number", "Rest and of 3 more",
        ]
    )
    func foreign(_ sentence: String) {
        for language in Self.translations { #expect(language.message(recognizing: sentence) == sentence) }
    }

    @Test("A label of several parts is translated part by part, and an unknown one remains")
    func labels() throws {
        let words = try Words(parsing: Array("label.Rules = Regeln\nlabel.From = Ab\n".utf8))
        #expect(words.label("Rules") == "Regeln")
        #expect(words.label("Rules 2, From") == "Regeln 2, Ab")
        #expect(words.label("Rules 2, Other") == "Regeln 2, Other")
    }

    @Test("The texts follow the first preferred language that there is, and dates and numbers the same preference")
    func chosen() {
        let languages = Languages.builtIn
        func chosen(_ tags: String...) -> [String] {
            let language = languages.language(of: tags)
            return [language.words.tag, language.locale.identifier]
        }
        #expect(chosen("de-CH", "fr") == ["de", "de-CH"])
        #expect(chosen("FR") == ["fr", "FR"])
        #expect(chosen("sv", "fr-CA") == ["fr", "fr-CA"])
        #expect(chosen("sv-SE", "pl") == ["en", "sv-SE"])
        // Most browsers add English to their lists, which says nothing about dates.
        #expect(chosen("pt-BR", "pt", "en-US", "en") == ["en", "pt-BR"])
        #expect(chosen() == ["en", "en-GB"])
        // A language code that only begins like one with texts is another language.
        #expect(chosen("den") == ["en", "den"])
    }

    @Test("French uses the singular for 0, German does not")
    func plurals() throws {
        let french = Languages.builtIn.language(of: ["fr"]).words
        let german = Languages.builtIn.language(of: ["de"]).words
        #expect(french.count(0, "months", "0") == "0 mois")
        #expect(french.count(0, "times", "0") == french.count(1, "times", "0"))
        #expect(german.count(0, "months", "0") == "0 Monate")
        let half = ExactDecimal(coefficient: 15, scale: 1)
        #expect(french.isSingular(half))
        #expect(!german.isSingular(half))
    }

    @Test("A file of another language is completed in English, and one that does not describe its language is refused")
    func added() throws {
        var languages = Languages.builtIn
        let head = "languageTag = he\nlanguageName = עברית\ndirection = rtl\nsingularNumbers = 1\n"
        try languages.add(Array((head + "save = שמירה\n").utf8))
        let words = languages.language(of: ["he-IL"]).words
        #expect(words["save"] == "שמירה")
        #expect(words["cancel"] == "Cancel")
        #expect(words["direction"] == "rtl")
        #expect(languages.incomplete.count == 1 && languages.incomplete[0].names.contains("cancel"))
        #expect(throws: UnusableWords.self) { try languages.add(Array("save = x\n".utf8)) }
        #expect(throws: UnusableWords.self) { try languages.add(Array(head.replacing("rtl", with: "up").utf8)) }
        #expect(throws: UnusableWords.self) { try languages.add(Array((head + "no text\n").utf8)) }
        // Without its placeholders, a text would leave out a value.
        #expect(throws: UnusableWords.self) { try languages.add(Array((head + "labelled = x\n").utf8)) }
        #expect(throws: UnusableWords.self) { try languages.add(Array(head.replacing("= he\n", with: "= h e\n").utf8)) }
        let windows = "\u{FEFF}" + (head + "save = x\n").replacing("\n", with: "\r\n")
        try languages.add(Array(windows.utf8))
        #expect(languages.language(of: ["he"]).words["save"] == "x")
    }

    @Test("Templates and code contain no English text of their own")
    func templates() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/JournalPages/Templates").standardized
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() {
            let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            // What remains without tags, placeholders and character references must contain no words.
            let bare = text.replacing(/<[^>]*>/, with: " ").replacing(/\{\{[^}]*\}\}\}?/, with: " ")
                .replacing(/&[#a-z0-9]+;/, with: " ")
            let words = bare.matches(of: /[A-Za-z]{3,}/).map { String($0.output) }
            #expect(words.isEmpty, "\(name): \(words)")
        }
    }
}

@Suite("Numbers in lists")
struct NumberListTests {
    private func reader(_ locale: String) -> Reader {
        Reader(ReaderLanguage(Languages.builtIn.english, locale: Locale(identifier: locale)), zone: .gmt)
    }

    @Test(
        "The steps of a taper may have decimal commas",
        arguments: [
            ("de-DE", "2,5x5 2x5", ["2,5x5", "2x5"]), ("de-DE", "2,5x5,2x5", ["2,5x5", "2x5"]),
            ("de-CH", "2,5x5;2x5", ["2,5x5", "2x5"]), ("de-DE", "40x5,30x5", ["40x5", "30x5"]),
            ("en-GB", "40x5, 30x5", ["40x5", "30x5"]), ("en-GB", "40 x 5, 30 x 5", ["40x5", "30x5"]),
        ]
    )
    func steps(_ locale: String, _ text: String, _ items: [String]) {
        #expect(reader(locale).taperSteps(text) == items)
    }
}
