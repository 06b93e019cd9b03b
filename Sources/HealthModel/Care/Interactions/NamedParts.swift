/// What a name or a question names: what rule sets know, and everything else.
package struct NamedParts: Hashable, Sendable {
    /// The known substances and foods, as the rules name them, each once.
    package var known: [FoldedName]
    /// What is not known, as it was written; words that follow each other are one name.
    package var rest: [String]
}

extension RuleIndex {
    /// Returns what the name of a medication names, without its strength, its form and its salt.
    func parts(ofName text: String) -> NamedParts { parts(of: text, ignoring: Self.describing) }

    /// Returns what a question names, without the words that ask.
    package func parts(ofQuestion text: String) -> NamedParts {
        parts(of: text, ignoring: Self.describing.union(Self.asking))
    }

    private func parts(of text: String, ignoring: Set<String>) -> NamedParts {
        let words = FoldedName.spelledWords(of: text)
        var found = NamedParts(known: [], rest: [])
        var unknown: [String] = []
        func end() {
            if !unknown.isEmpty { found.rest.append(unknown.joined(separator: " ")) }
            unknown = []
        }
        var start = 0
        while start < words.count {
            let (length, name) = longestKnown(in: words[start...].map(\.folded))
            let word = words[start]
            if let name {
                end()
                if !found.known.contains(name) { found.known.append(name) }
            } else if word.folded.first?.isNumber == true || ignoring.contains(word.folded) {
                end()
            } else {
                unknown.append(word.written)
            }
            start += max(1, length)
        }
        end()
        return found
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
            if isKnown(stem) { return (1, resolve(stem)) }
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
        "dihydrate",
    ]

    /// Forms that German joins to a name.
    private static let joinedForms = [
        "filmtabletten", "filmtablette", "retardtabletten", "brausetabletten", "tabletten", "tablette", "retardkapseln",
        "kapseln", "kapsel", "augentropfen", "tropfen", "pflaster", "salbe", "creme", "gel", "saft", "sirup", "spray",
        "zapfchen", "spritzen", "spritze", "pulver", "losung", "retard",
        "hydrochlorid", "natrium", "succinat", "tartrat", "besilat", "mesilat", "maleat", "fumarat", "acetat", "sulfat",
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
    /// Splits a text into words, each folded and as it was written.
    static func spelledWords(of text: String) -> [(folded: String, written: String)] {
        text.split { !$0.isLetter && !$0.isNumber }
            .flatMap { piece -> [(folded: String, written: String)] in
                let folded = words(of: String(piece))
                return folded.count == 1 ? [(folded[0], String(piece))] : folded.map { ($0, $0) }
            }
    }
}
