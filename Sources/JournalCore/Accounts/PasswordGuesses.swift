internal import EmbeddedFiles
internal import Foundation
internal import HealthModel

/// Passwords that an attacker tries first, as NIST SP 800-63B (section 3.1.1.2) asks to refuse them: common
/// ones, those made of the names of the account and the journal, repetitions and sequences, each also with digits and
/// symbols added or instead of letters.
///
/// A password is compared as a whole: one that merely contains a common word is accepted.
enum PasswordGuesses {
    /// What makes a password easy to guess.
    enum Weakness {
        case common
        case name
        case pattern
    }

    /// Returns why a password is guessed early; nil if it is not.
    static func weakness(of password: String, names: [String]) -> Weakness? {
        let text = folded(password)
        // Of a password that is a repetition, the repeated part is all that has to be guessed.
        let unit = repeated(text)
        if unit.count < Password.shortest, unit.count < text.count { return .pattern }
        if Set(text).count < fewestCharacters || isPattern(text) { return .pattern }
        let cores = forms(of: unit)
        if cores.contains(where: isName(among: names + ownNames)) { return .name }
        return cores.contains(where: common.contains) ? .common : nil
    }

    /// The name of this program and of what it keeps.
    private static let ownNames = ["healthjournal", "journal"]

    /// The smallest number of different characters of a password.
    private static let fewestCharacters = 4

    private static let common: Set<String> = {
        let text = String(decoding: embeddedFile("common.passwords"), as: UTF8.self)
        return Set(text.split(separator: "\n").lazy.filter { !$0.hasPrefix("#") }.map(String.init))
    }()

    /// The text in lowercase, without accents, and with fullwidth and similar forms as plain letters.
    private static func folded(_ text: String) -> String {
        text.precomposedStringWithCompatibilityMapping
            .folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
            .lowercased()
    }

    /// The shortest part that a text repeats; the text itself if it repeats none.
    private static func repeated(_ text: String) -> String {
        let characters = Array(text)
        guard characters.count > 1 else { return text }
        for length in 1...(characters.count / 2)
        where characters.indices.dropFirst(length).allSatisfy({ characters[$0] == characters[$0 - length] }) {
            return String(characters.prefix(length))
        }
        return text
    }

    // MARK: - Words

    private static let lookAlikes: [Character: Character] = [
        "@": "a", "4": "a", "3": "e", "0": "o", "1": "i", "!": "i", "|": "l", "$": "s", "5": "s", "7": "t", "+": "t",
        "8": "b", "9": "g", "€": "e", "£": "l",
    ]

    /// The words that a text may be made of: itself, and without the characters in front and behind that are no
    /// letters, each also with digits and symbols that look like letters replaced by them, without separators between
    /// letters, and backwards.
    private static func forms(of text: String) -> Set<String> {
        var found: Set<String> = [text]
        let core = text.drop { !$0.isLetter }
        found.insert(
            String(core.prefix(upTo: core.lastIndex(where: \.isLetter).map(core.index(after:)) ?? core.startIndex))
        )
        // Such as p4ssw0rd2024, whose digits behind are no letters.
        let trimmed = text.reversed().drop { $0.isNumber || !$0.isLetter && lookAlikes[$0] == nil }.reversed()
        for each in found.union([String(trimmed)]) {
            found.insert(String(each.map { lookAlikes[$0] ?? $0 }))
            found.insert(String(each.map { $0 == "1" ? "l" : lookAlikes[$0] ?? $0 }))
        }
        for each in found {
            let letters = String(each.filter(\.isLetter))
            if letters.count + 2 >= each.count || each.contains(where: \.isWhitespace) { found.insert(letters) }
        }
        // The same word twice, as in passwordpassword1.
        for each in found { found.insert(repeated(each)) }
        for each in found { found.insert(String(each.reversed())) }
        return found.filter { !$0.isEmpty }
    }

    /// Returns whether a word consists of a name or of parts of it, such as the given name in `anna.keller`.
    private static func isName(among names: [String]) -> (String) -> Bool {
        var parts: Set<String> = []
        for name in names.map(folded) {
            let words = name.split { !$0.isLetter && !$0.isNumber }.map(String.init)
            parts.formUnion(words.filter { $0.count >= 3 })
            parts.insert(words.joined())
            parts.insert(words.reversed().joined())
            parts.insert(String(name.filter(\.isLetter)))
            parts.insert(name)
        }
        parts.remove("")
        return { word in
            parts.contains(word) || parts.contains(String(word.filter(\.isLetter))) && word.contains { $0.isLetter }
        }
    }

    // MARK: - Patterns

    /// Neighbours in the alphabet, of digits, and on keyboards.
    private static let rows: [String] = {
        let forward = [
            "abcdefghijklmnopqrstuvwxyz", "01234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm", "qwertzuiop", "yxcvbnm",
            "azertyuiop", "qsdfghjklm", "wxcvbn", "!@#$%^&*()", "1qaz2wsx3edc4rfv5tgb6yhn7ujm", "1q2w3e4r5t6y7u8i9o0p",
        ]
        return forward + forward.map { String($0.reversed()) }
    }()
    private static let shortestRun = 3

    /// Whether little remains of a text if runs of neighbouring characters and single digits and symbols are left out.
    private static func isPattern(_ text: String) -> Bool {
        var rest = text[...]
        var (letters, covered) = (0, 0)
        while let first = rest.first {
            let run = run(at: rest)
            if run >= shortestRun {
                covered += run
                rest = rest.dropFirst(run)
            } else {
                if first.isLetter || !first.isASCII { letters += 1 }
                rest = rest.dropFirst()
            }
        }
        // Such as a date or a telephone number.
        let isNumber = text.count < 16 && text.allSatisfy { $0.isNumber || " .-/:+()".contains($0) }
        return isNumber || letters < 3 && 2 * covered >= text.count
    }

    /// The length of the longest run of neighbours, or of one repeated character, with which a text begins.
    private static func run(at text: Substring) -> Int {
        let same = text.prefix { $0 == text.first }.count
        let neighbours = rows.map { row -> Int in
            guard let start = text.first.flatMap(row.firstIndex(of:)) else { return 0 }
            return zip(text, row[start...]).prefix { $0 == $1 }.count
        }
        return max(same, neighbours.max() ?? 0)
    }
}

extension PasswordGuesses.Weakness {
    /// What to tell the person.
    var message: Message {
        switch self {
        case .common: "is a common password, or one with digits or symbols added: a few unrelated words work best"
        case .name: "consists of the name of the account or of this program: a few unrelated words work best"
        case .pattern: "is a number, a sequence or a repetition: a few unrelated words work best"
        }
    }
}
