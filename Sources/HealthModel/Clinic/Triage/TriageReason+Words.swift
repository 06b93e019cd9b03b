/// Reasons in plain English words.
extension TriageReason {
    /// A sentence that says why the level follows, such as `heart rate 45 is < 50`.
    package var sentence: String {
        switch rule {
        case .sign: "sign: \(TriageWords.plain(value ?? ""))"
        case .examination: "\(name): \(value ?? "")"
        case .threshold, .speciesLimit: "\(name) \(value ?? "")" + (limit.map { " (limit \($0))" } ?? "")
        case .nothingFound: level == .blue ? "nothing found, and only a sign that can wait" : "nothing found"
        case .notAssessed: "\(name) was not assessed: not assessed is not normal"
        }
    }

    private var name: String { input?.label ?? "" }
}

extension TriageItem {
    /// The words for the input, such as `heart rate`.
    package var label: String {
        switch self {
        case .systolicPressure: "systolic blood pressure"
        case .speciesLimits: "limits of the species"
        default: TriageWords.plain(rawValue)
        }
    }
}

extension TriageContradiction {
    /// A sentence that says what disagrees.
    package var sentence: String {
        "\(TriageWords.plain(sign.code)) does not fit \(part.rawValue) \(result.rawValue): the more urgent counts"
    }
}

/// Words made of codes.
package enum TriageWords {
    /// Returns a code such as `labouredBreathing` as words: `laboured breathing`.
    package static func plain(_ code: String) -> String {
        var words = ""
        for character in code {
            if character.isUppercase { words += " " + character.lowercased() } else { words.append(character) }
        }
        return words
    }
}
