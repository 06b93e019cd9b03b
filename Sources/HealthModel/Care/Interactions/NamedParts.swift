/// What a name or a question names: what rule sets know, and everything else.
package struct NamedParts: Hashable, Sendable {
    /// The known substances and foods, as the rules name them, each once.
    package var known: [FoldedName]
    /// The unknown names, as they were written; words that follow each other are one name.
    package var rest: [String]
}

extension RuleIndex {
    /// Returns what a name names, without its strength and its form; for a medication, also without its salt.
    func parts(ofName text: String, isMedication: Bool) -> NamedParts {
        parts(of: text, ignoring: Self.describing, salts: isMedication)
    }

    /// Returns what a question names, without the words that ask.
    ///
    /// A question may name a medication and a mineral without a word between them, so that none is taken for a salt.
    package func parts(ofQuestion text: String) -> NamedParts {
        parts(of: text, ignoring: Self.describing.union(Self.asking), salts: false)
    }

    private func parts(of text: String, ignoring: Set<String>, salts: Bool) -> NamedParts {
        let words = FoldedName.spelledWords(of: text)
        var found = NamedParts(known: [], rest: [])
        var unknown: [String] = []
        func end() {
            if !unknown.isEmpty { found.rest.append(unknown.joined(separator: " ")) }
            unknown = []
        }
        var start = 0
        // Where a name ended whose salt the next word may name.
        var behindDrug: Int?
        while start < words.count {
            let (length, name) = longestKnown(in: words[start...].map(\.folded))
            let word = words[start]
            if salts, behindDrug == start, length <= 1, word.follows, Self.metals.contains(word.folded) {
                end()
            } else if let name {
                end()
                behindDrug = Self.isNutrient(name) ? nil : start + length
                if !found.known.contains(name) { found.known.append(name) }
            } else if word.folded.first?.isNumber == true || ignoring.contains(word.folded) {
                end()
            } else {
                unknown.append(word.written)
                behindDrug = Self.isNutrient(FoldedName(word.written)) ? nil : start + 1
            }
            start += max(1, length)
        }
        end()
        return found
    }

    /// Whether a name is that of a vitamin or a mineral, behind which a metal is a second ingredient and no salt.
    private static func isNutrient(_ name: FoldedName) -> Bool {
        let words = name.text.split(separator: " ").map(String.init)
        return words.contains { metals.contains($0) || nutrients.contains($0) || $0.contains("vitamin") }
    }

    private func longestKnown(in words: [String]) -> (length: Int, name: FoldedName?) {
        for count in stride(from: min(FoldedName.longestPhrase, words.count), to: 0, by: -1) {
            let phrase = FoldedName(words[..<count].joined(separator: " "))
            if let name = [phrase, phrase.singular].first(where: isKnown) { return (count, resolve(name)) }
        }
        // German joins the form to the name, as in Fentanylpflaster.
        guard let word = words.first else { return (0, nil) }
        for form in Self.joinedForms where word.hasSuffix(form) && word.count > form.count + 3 {
            let stem = FoldedName(String(word.dropLast(form.count)))
            let isSalt = !Self.metals.contains(form) || !Self.isNutrient(resolve(stem))
            if isSalt, isKnown(stem) { return (1, resolve(stem)) }
        }
        return (0, nil)
    }

    /// Folded words for forms, salts, units and the like, which name no substance.
    private static let describing: Set<String> = [
        // Units.
        "mg", "g", "kg", "ug", "µg", "μg", "mcg", "ng", "ml", "l", "dl", "cl", "ie", "iu", "ui", "mmol", "h", "x",
        // Forms in English, German and French.
        "tablet", "tablets", "capsule", "capsules", "pill", "pills", "drop", "drops", "patch", "patches", "spray",
        "sprays",
        "cream", "ointment", "gel", "syrup", "solution", "suspension", "powder", "inhaler", "injection", "suppository",
        "suppositories", "lozenge", "lozenges", "oral", "retard", "forte", "depot", "film", "coated", "pflaster",
        "tablette", "tabletten", "filmtablette", "filmtabletten", "retardtabletten", "brausetablette",
        "brausetabletten",
        "kapsel", "kapseln", "retardkapseln", "tropfen", "augentropfen", "salbe", "creme", "saft", "sirup", "losung",
        "pulver", "spritze", "spritzen", "zapfchen", "nasenspray", "lutschtabletten", "ampulle", "ampullen", "comprime",
        "comprimes", "pellicule", "pellicules", "gelule", "gelules", "goutte", "gouttes", "timbre", "timbres",
        "transdermique", "transdermiques", "pommade", "sirop", "poudre", "suppositoire", "suppositoires",
        "collyre", "sachet", "sachets", "beutel", "stuck", "dose", "doses", "puff", "puffs", "hub", "hube",
        // Salts.
        "hydrochloride", "hydrochlorid", "chlorhydrate", "hcl", "sodium", "natrium", "succinate", "succinat",
        "tartrate",
        "tartrat", "besilate", "besilat", "mesilate", "mesilat", "maleate", "maleat", "fumarate", "fumarat", "acetate",
        "acetat", "sulfate", "sulfat", "phosphate", "phosphat", "citrate", "citrat", "hemihydrate", "trihydrate",
        "dihydrate", "monohydrate", "monohydrat", "besylate", "mesylate", "tosylate", "tosilate", "tosilat", "hyclate",
        "hyclat", "bitartrate", "hydrobromide", "hydrobromid", "bromide", "bromid", "malate", "malat", "axetil",
        "medoxomil", "cilexetil", "etexilate", "etexilat", "proxetil", "erbumine", "erbumin", "potassique", "calcique",
        "magnesique", "sodique", "zincique",
    ]

    /// Folded words for the metals of salts, which are substances of their own elsewhere.
    private static let metals: Set<String> = [
        "calcium", "kalzium", "potassium", "kalium", "magnesium", "zinc", "zink",
    ]

    /// Folded words for other minerals, and for vitamins under other names.
    private static let nutrients: Set<String> = [
        "iron", "eisen", "fer", "ferrous", "ferric", "iodine", "jod", "iode", "selenium", "selen", "copper", "kupfer",
        "cuivre", "aluminium", "aluminum", "algeldrate", "algeldrat", "chromium", "chrom", "manganese", "mangan", "d3",
        "k2", "b6", "b12", "colecalciferol", "cholecalciferol", "ergocalciferol", "calcitriol", "cobalamin",
        "cyanocobalamin", "thiamine", "thiamin", "riboflavin", "nicotinamide", "niacin", "pyridoxine", "pyridoxin",
        "biotin", "folic", "folate", "folsaure", "ascorbic", "ascorbinsaure", "tocopherol", "retinol", "menaquinone",
        "phytomenadione", "omega", "collagen", "kollagen",
    ]

    /// Forms that German joins to a name.
    private static let joinedForms = [
        "filmtabletten", "filmtablette", "retardtabletten", "brausetabletten", "tabletten", "tablette", "retardkapseln",
        "kapseln", "kapsel", "augentropfen", "tropfen", "pflaster", "salbe", "creme", "gel", "saft", "sirup", "spray",
        "zapfchen", "spritzen", "spritze", "pulver", "losung", "retard",
        "hydrochlorid", "natrium", "kalium", "calcium", "succinat", "tartrat", "besilat", "mesilat", "maleat",
        "fumarat", "acetat", "sulfat",
    ]

    /// Folded words of questions in English, German and French, which name nothing.
    private static let asking: Set<String> = [
        "i", "me", "my", "we", "she", "he", "her", "his", "him", "they", "it", "is", "are", "am", "be", "may", "might",
        "can",
        "could", "should", "would", "will", "do", "does", "did", "has", "have", "had", "take", "takes", "taking",
        "took",
        "taken", "eat", "eats", "eating", "drink", "drinks", "drinking", "use", "uses", "using", "give", "giving",
        "get",
        "a", "an", "the", "of", "to", "for", "in", "on", "at", "as", "by", "if", "so", "or", "and", "with", "without",
        "while",
        "when", "after", "before", "together", "plus", "also", "any", "some", "this", "that", "these", "those", "what",
        "which", "how", "there", "not", "ok", "okay", "safe", "allowed", "please", "than", "then", "from", "into",
        "too",
        "about", "mix", "combine", "combined", "same", "time", "day", "days", "daily", "today", "tonight", "now",
        "still",
        "once", "twice", "per", "every", "s", "t", "you", "your", "mother", "father", "something", "anything", "more",
        "much",
        "ich", "mir", "mich", "mein", "meine", "meinen", "meiner", "meinem", "wir", "uns", "sie", "er", "ihr", "ihre",
        "man",
        "darf", "durfen", "kann", "konnen", "konnte", "soll", "sollte", "muss", "ist", "sind", "es", "hat", "haben",
        "habe",
        "nehmen", "nehme", "nimmt", "einnehmen", "genommen", "eingenommen", "essen", "esse", "isst", "trinken",
        "trinke",
        "trinkt", "verwenden", "geben", "der", "die", "das", "den", "dem", "des", "ein", "eine", "einen", "einem",
        "einer",
        "und", "oder", "mit", "ohne", "zu", "zum", "zur", "zusammen", "gleichzeitig", "auch", "noch", "nach", "vor",
        "bei",
        "beim", "wahrend", "wenn", "wie", "was", "welche", "nicht", "heute", "jetzt", "taglich", "pro", "tag", "als",
        "gegen",
        "fur", "von", "vom", "auf", "im", "am", "dazu", "bitte", "mal", "mutter", "vater",
        "je", "j", "moi", "mon", "ma", "mes", "nous", "il", "elle", "on", "puis", "peux", "peut", "pouvons", "dois",
        "doit",
        "est", "ce", "c", "que", "qu", "qui", "prendre", "prends", "prend", "pris", "boire", "bois", "manger", "mange",
        "utiliser", "donner", "le", "la", "les", "l", "un", "une", "des", "du", "de", "d", "et", "ou", "avec", "sans",
        "en",
        "meme", "temps", "ensemble", "aussi", "pendant", "apres", "avant", "quand", "si", "pas", "ne", "n", "aujourd",
        "hui",
        "maintenant", "par", "jour", "pour", "contre", "sur", "dans", "au", "aux", "mere", "pere",
    ]
}

extension FoldedName {
    /// A word of a text: folded, as it was written, and whether only spaces or hyphens are between it and the one before.
    typealias SpelledWord = (folded: String, written: String, follows: Bool)

    /// Splits a text into words.
    static func spelledWords(of text: String) -> [SpelledWord] {
        var found: [SpelledWord] = []
        var end: String.Index?
        for piece in text.split(whereSeparator: { !$0.isLetter && !$0.isNumber }) {
            let follows = end.map { text[$0..<piece.startIndex].allSatisfy { $0.isWhitespace || $0 == "-" } } ?? false
            let folded = words(of: String(piece))
            for (number, word) in folded.enumerated() {
                found.append((word, folded.count == 1 ? String(piece) : word, number > 0 || follows))
            }
            end = piece.endIndex
        }
        return found
    }
}
