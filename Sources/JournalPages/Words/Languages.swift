internal import EmbeddedFiles
package import Foundation

/// The languages of the pages: English, German and French, and those of other files of texts.
package struct Languages: Sendable {
    /// The texts of each language, in the order in which they are offered.
    package private(set) var all: [Words]
    /// The language of a reader who prefers none of the others.
    package let english: Words
    /// The added languages in which some texts are missing, which are shown in English.
    package private(set) var incomplete: [Missing] = []

    /// The languages that are part of the program.
    package static let builtIn: Languages = {
        do {
            let english = try Words(parsing: Array(englishSource.utf8))
            let others = try translations.map { bytes throws(MalformedWords) in
                try Words(parsing: bytes, completedBy: english)
            }
            return Languages(all: [english] + others, english: english)
        } catch {
            preconditionFailure("the texts of the pages cannot be read: \(error)")
        }
    }()

    /// The files of texts that are part of the program, to be translated into another language.
    package static var sources: [String] {
        [englishSource] + translations.map { String(decoding: $0, as: UTF8.self) }
    }

    private static let translations = ["de.words", "fr.words"].map(embeddedFile)

    /// The English file, and the labels of the model, which are in English in its code.
    private static let englishSource: String = {
        let labels = ModelLabels.all.map { "\(Words.labelName($0)) = \($0)\n" }
        // All translations contain the same messages, so that one of them serves as the list.
        let translated = (try? Words.texts(in: translations[0])) ?? [:]
        let messages = translated.keys.filter { $0.hasPrefix(MessageTemplates.prefix) }.sorted()
            .map { "\($0) = \($0.dropFirst(MessageTemplates.prefix.count))\n" }
        return String(decoding: embeddedFile("en.words"), as: UTF8.self)
            + "\n# Labels of kinds, fields, events and scopes\n" + labels.joined()
            + "\n# Messages; {0} and {1} are parts that vary\n" + messages.joined()
    }()

    /// The names of texts that an added file lacks.
    package struct Missing: Sendable {
        package let tag: String
        package let names: [String]
    }

    /// Adds a language, or replaces the one with the same tag.
    ///
    /// Throws if a line is malformed, or if the file does not describe its language.
    package mutating func add(_ bytes: [UInt8]) throws(UnusableWords) {
        let texts: [String: String]
        let words: Words
        do throws(MalformedWords) {
            texts = try Words.texts(in: bytes)
            words = try Words(parsing: bytes, completedBy: english)
        } catch {
            throw UnusableWords(description: error.description)
        }
        for name in ["languageTag", "languageName", "direction", "singularNumbers"] where texts[name] == nil {
            throw UnusableWords(description: "it has no line \(name) = …")
        }
        guard Languages.isTag(words.tag) else {
            throw UnusableWords(description: "languageTag must be a language tag such as pt or pt-BR")
        }
        guard ["ltr", "rtl"].contains(words["direction"]) else {
            throw UnusableWords(description: "direction must be ltr or rtl")
        }
        let wrong = texts.filter { name, text in
            english.texts[name].map { Words.placeholders(in: $0) != Words.placeholders(in: text) } ?? false
        }
        if let name = wrong.keys.min() {
            throw UnusableWords(description: "\(name) must have the same placeholders as the English text, such as {0}")
        }
        all.removeAll { $0.tag.lowercased() == words.tag.lowercased() }
        all.append(words)
        let missing = english.texts.keys.filter { texts[$0] == nil }.sorted()
        if !missing.isEmpty { incomplete.append(Missing(tag: words.tag, names: missing)) }
    }

    /// Returns the first of a reader's preferred languages in which there are texts.
    ///
    /// `preferred` contains BCP 47 tags. If there are no texts in any of them, the texts are in English, and only dates
    /// and numbers follow the first preference.
    package func language(of preferred: [String]) -> ReaderLanguage {
        let first = preferred.first ?? "en-GB"
        for tag in preferred {
            guard let words = words(for: tag) else { continue }
            // Most browsers add English to each list, which says nothing about dates and numbers.
            return ReaderLanguage(words, locale: Locale(identifier: words.tag == english.tag ? first : tag))
        }
        return ReaderLanguage(english, locale: Locale(identifier: first))
    }

    /// Returns the texts of the language of a BCP 47 tag; nil if there are none.
    ///
    /// The texts of a language are those of each of its regions, and of other regions if there are none of the language.
    private func words(for tag: String) -> Words? {
        let wanted = tag.lowercased()
        func base(_ tag: String) -> Substring { tag.lowercased().prefix { $0 != "-" } }
        return all.first { $0.tag.lowercased() == wanted } ?? all.first { $0.tag.lowercased() == base(tag) }
            ?? all.first { base($0.tag) == base(tag) }
    }

    /// Whether a text consists of letters, digits and hyphens, and begins with a known language code.
    package static func isTag(_ text: String) -> Bool {
        (2...35).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                $0 < 0x80 && ($0 == 0x2D || Character(Unicode.Scalar($0)).isLetter || $0.isASCIIDigit)
            }
            && known.contains(text.prefix { $0 != "-" }.lowercased())
    }

    /// Stored because Foundation builds the list on each call.
    private static let known = Set(Locale.LanguageCode.isoLanguageCodes.map(\.identifier))
}

extension UInt8 {
    fileprivate var isASCIIDigit: Bool { (0x30...0x39).contains(self) }
}

/// The texts for a reader, and the locale of dates and numbers.
package struct ReaderLanguage: Sendable {
    package let words: Words
    package let locale: Locale

    package init(_ words: Words, locale: Locale) {
        (self.words, self.locale) = (words, locale)
    }
}

/// Why a file of texts cannot be used.
package struct UnusableWords: Error, Hashable, CustomStringConvertible {
    package let description: String
}
