package import HealthModel

/// A level of urgency as its colour, its number and its words, so that no one needs the colour to read it.
package struct LevelBadge: Sendable {
    package let number: String
    /// The colour as a class of the style sheet.
    package let name: String
    package let colour: String
    package let meaning: String

    package init(_ level: UrgencyLevel, _ words: Words) {
        number = String(level.rawValue)
        name = level.name
        colour = words["level.\(level.name)"]
        meaning = words["levelMeaning.\(level.name)"]
    }
}

extension UrgencyLevel {
    /// The level as one text, such as `2 orange (very urgent)`.
    package func text(_ words: Words) -> String {
        words["levelText", String(rawValue), words["level.\(name)"], words["levelMeaning.\(name)"]]
    }
}
