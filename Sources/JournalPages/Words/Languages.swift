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

    private static let translations = [PackageResources.de_words, PackageResources.fr_words]

    /// The English file, and the labels of the model, which are in English in its code.
    private static let englishSource: String = {
        let labels = ModelLabels.all.map { "\(Words.labelName($0)) = \($0)\n" }
        return String(decoding: PackageResources.en_words, as: UTF8.self)
            + "\n# Labels of kinds, fields, events and scopes\n" + labels.joined()
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
        guard ["ltr", "rtl"].contains(words["direction"]) else {
            throw UnusableWords(description: "direction must be ltr or rtl")
        }
        all.removeAll { $0.tag == words.tag }
        all.append(words)
        let missing = english.texts.keys.filter { texts[$0] == nil }.sorted()
        if !missing.isEmpty { incomplete.append(Missing(tag: words.tag, names: missing)) }
    }

    /// Returns the first of a reader's preferred languages in which there are texts.
    ///
    /// `preferred` contains BCP 47 tags. If there are no texts in any of them, the texts are in English, and only dates
    /// and numbers follow the first preference.
    package func language(of preferred: [String]) -> ReaderLanguage {
        for tag in preferred {
            if let words = words(for: tag) { return ReaderLanguage(words, locale: Locale(identifier: tag)) }
        }
        return ReaderLanguage(english, locale: Locale(identifier: preferred.first ?? "en-GB"))
    }

    /// Returns the texts of the language of a BCP 47 tag; nil if there are none.
    ///
    /// The texts of a language without a region are those of each of its regions.
    private func words(for tag: String) -> Words? {
        let wanted = tag.lowercased()
        return all.first { $0.tag.lowercased() == wanted }
            ?? all.first { $0.tag.lowercased() == wanted.prefix { $0 != "-" } }
    }
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
