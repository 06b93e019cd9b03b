/// The code of a sign that a person saw or reported, such as `labouredBreathing`; the codes are stored.
///
/// A rule set says how urgent each of its signs is. The signs below are those of the built-in rule sets; a practice's
/// own rule set may use others.
package struct TriageSign: Hashable, Sendable {
    package var code: String

    package init(_ code: String) {
        self.code = code
    }

    package static let maximumLength = 50

    /// Whether the code is a word of ASCII letters and digits that starts with a lowercase letter.
    package var isWellFormed: Bool {
        guard let first = code.utf8.first, code.utf8.count <= TriageSign.maximumLength else { return false }
        let lowercase = UInt8(ascii: "a")...UInt8(ascii: "z")
        let uppercase = UInt8(ascii: "A")...UInt8(ascii: "Z")
        return lowercase.contains(first)
            && code.utf8.allSatisfy { lowercase.contains($0) || uppercase.contains($0) || $0.isDigit }
    }
}

extension TriageSign: Comparable {
    package static func < (left: TriageSign, right: TriageSign) -> Bool { left.code < right.code }
}

extension TriageSign {
    /// "Red now": a person says that the patient must be seen immediately.
    ///
    /// It is red in every rule set.
    package static let immediate = TriageSign("immediate")

    // MARK: - Red

    package static let arrest = TriageSign("arrest")
    package static let airwayBlocked = TriageSign("airwayBlocked")
    package static let agonalBreathing = TriageSign("agonalBreathing")
    package static let blueGums = TriageSign("blueGums")
    package static let unresponsive = TriageSign("unresponsive")
    package static let seizingNow = TriageSign("seizingNow")
    package static let massiveBleeding = TriageSign("massiveBleeding")

    // MARK: - Orange

    package static let labouredBreathing = TriageSign("labouredBreathing")
    package static let openMouthCat = TriageSign("openMouthCat")
    package static let collapsed = TriageSign("collapsed")
    package static let swollenBellyRetching = TriageSign("swollenBellyRetching")
    package static let cannotUrinate = TriageSign("cannotUrinate")
    package static let obstructedBirth = TriageSign("obstructedBirth")
    package static let poisonRecent = TriageSign("poisonRecent")
    package static let majorTrauma = TriageSign("majorTrauma")
    package static let organsExposed = TriageSign("organsExposed")
    package static let openFracture = TriageSign("openFracture")
    package static let heatStroke = TriageSign("heatStroke")
    package static let snakeBite = TriageSign("snakeBite")
    package static let seizuresRepeated = TriageSign("seizuresRepeated")
    package static let suddenParalysis = TriageSign("suddenParalysis")
    package static let eyeOut = TriageSign("eyeOut")
    package static let severePain = TriageSign("severePain")

    // MARK: - Yellow

    package static let vomitingRepeated = TriageSign("vomitingRepeated")
    package static let bloodyStool = TriageSign("bloodyStool")
    package static let seizureOver = TriageSign("seizureOver")
    package static let deepWound = TriageSign("deepWound")
    package static let noWeightBearing = TriageSign("noWeightBearing")
    package static let faceSwelling = TriageSign("faceSwelling")
    package static let notEatingHerbivore = TriageSign("notEatingHerbivore")
    package static let moderatePain = TriageSign("moderatePain")

    // MARK: - Green

    package static let minorWound = TriageSign("minorWound")
    package static let lame = TriageSign("lame")
    package static let vomitedOnce = TriageSign("vomitedOnce")
    package static let eyeDischarge = TriageSign("eyeDischarge")
    package static let mildPain = TriageSign("mildPain")

    // MARK: - Blue

    package static let skinOrEarsLong = TriageSign("skinOrEarsLong")
    package static let checkUp = TriageSign("checkUp")
    package static let nails = TriageSign("nails")
}
