internal import EmbeddedFiles

/// A substance or a product, with the names by which people know it.
package struct Substance: Hashable, Sendable {
    /// The international nonproprietary name, or the usual name of a supplement or a product.
    package var name: String
    package var synonyms: [String]
    /// The classes, in the words of the interaction rules.
    package var classes: [String]
    /// The code in the system of the list from which it was loaded.
    package var code: String?
    /// Whether it is among the names that a page offers before anything was typed.
    package var isCommon: Bool

    package init(
        name: String,
        synonyms: [String] = [],
        classes: [String] = [],
        code: String? = nil,
        isCommon: Bool = false
    ) {
        self.name = name
        self.synonyms = synonyms
        self.classes = classes
        self.code = code
        self.isCommon = isCommon
    }

    /// All names: the main one first.
    package var names: [String] { [name] + synonyms }

    /// Whether it is a supplement rather than a medication.
    package var isSupplement: Bool { !Substance.supplements.isDisjoint(with: classes) }

    private static let supplements: Set<String> = [
        "vitamin", "mineral", "supplement", "herbal", "probiotic", "fatty-acid",
    ]
}

extension Substance {
    /// The names that the journal comes with: about 1,100 substances, written by hand for this project.
    package static let bundled: [Substance] = {
        let text = String(decoding: embeddedFile("substances.names"), as: UTF8.self)
        return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { Substance(bundledLine: $0) }
    }()

    /// Creates a substance from a line of the bundled list, whose form a test checks.
    private init(bundledLine line: Substring) {
        let fields = line.split(separator: ";", omittingEmptySubsequences: false)
        func items(_ index: Int) -> [String] {
            index < fields.count ? fields[index].split(separator: ",").map(String.init) : []
        }
        self.init(name: String(fields[0]), synonyms: items(1), classes: items(2), isCommon: items(3) == ["common"])
    }
}
