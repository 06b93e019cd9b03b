package import HealthModel

/// The translation of messages, which are in English in the code.
///
/// A language file names each by its English text, with placeholders for the parts that vary; for a `Message`, this is its key:
///
///     message.must be at least {0} characters long = muss mindestens {0} Zeichen lang sein
///
/// A message without a translation remains in English.
struct MessageTemplates: Sendable {
    /// The texts between the placeholders of each template, and its name; the template with most literal text first.
    private let patterns: [(pieces: [String], name: String)]

    static let prefix = "message."
    /// The beginnings of templates that fit many other messages too.
    static let open = ["must be {", "must be between {", "there is no such {"]

    init(_ texts: [String: String]) {
        patterns = texts.keys.filter { $0.hasPrefix(MessageTemplates.prefix) && $0.contains("{0}") }
            .filter(MessageTemplates.isRecognizable)
            .map { name in (MessageTemplates.pieces(String(name.dropFirst(MessageTemplates.prefix.count))), name) }
            .sorted { left, right in
                let lengths = [left, right].map { $0.pieces.reduce(0) { $0 + $1.count } }
                return lengths[0] == lengths[1] ? left.name < right.name : lengths[0] > lengths[1]
            }
    }

    /// Whether texts that are only known in English are compared with a template.
    ///
    /// One that begins with a part fits many sentences that are none of these messages, such as a recommendation of a rule
    /// set. Only those of reminders, plans and triage are wanted.
    private static func isRecognizable(_ name: String) -> Bool {
        let template = name.dropFirst(prefix.count)
        return !template.hasPrefix("{0}") || composed.contains { template.hasPrefix($0) }
    }

    private static let composed = [
        "{0}: due", "{0}: missed", "{0}: will run out soon", "{0} (", "{0} in the specialty", "{0} of {1} minutes of",
        "{0} does not fit {1}", "{0} was not assessed",
    ]

    /// Returns the name of the template of a message, and the parts that vary; nil if there is none.
    func match(_ message: String) -> (name: String, parts: [String])? {
        for (pieces, name) in patterns {
            if let parts = MessageTemplates.parts(of: message, between: pieces) { return (name, parts) }
        }
        return nil
    }

    /// Splits a template at its placeholders, which are numbered in their order.
    private static func pieces(_ template: String) -> [String] {
        var pieces: [String] = []
        var rest = template[...]
        while let mark = rest.firstRange(of: "{\(pieces.count)}") {
            pieces.append(String(rest[..<mark.lowerBound]))
            rest = rest[mark.upperBound...]
        }
        return pieces + [String(rest)]
    }

    /// Returns what stands between the pieces of a template; nil if the message does not fit it.
    private static func parts(of message: String, between pieces: [String]) -> [String]? {
        guard let first = pieces.first, let last = pieces.last, message.hasPrefix(first) else { return nil }
        var rest = message.dropFirst(first.count)
        guard rest.hasSuffix(last) else { return nil }
        rest = rest.dropLast(last.count)
        var parts: [String] = []
        for piece in pieces.dropFirst().dropLast() {
            guard let found = rest.firstRange(of: piece), found.lowerBound > rest.startIndex else { return nil }
            parts.append(String(rest[..<found.lowerBound]))
            rest = rest[found.upperBound...]
        }
        return rest.isEmpty ? nil : parts + [String(rest)]
    }
}

extension Words {
    /// Returns a message in this language; in English if it has no translation.
    package func message(_ message: Message) -> String {
        guard let text = texts[MessageTemplates.prefix + message.key] else {
            return self.message(recognizing: "\(message)")
        }
        let isOpen = MessageTemplates.open.contains { message.key.hasPrefix($0) }
        var parts: [String] = []
        for part in message.parts {
            switch part {
            case .message(let message): parts.append(self.message(message))
            case .text(let text):
                // A part may be a word that has a translation, such as the name of a kind; one at the beginning is a name
                // or a text of a person.
                let known =
                    message.key.hasPrefix("{0}")
                    ? nil : texts[MessageTemplates.prefix + text] ?? texts[Words.labelName(text)]
                // If a part that is most of the message has none, languages are not mixed.
                if isOpen, known == nil, text.contains(where: \.isLetter) { return "\(message)" }
                parts.append(known ?? text)
            }
        }
        return Message.filled(text, with: parts)
    }

    /// Returns a message as a sentence in this language.
    ///
    /// Pass `field` where the message is not shown next to its field: the sentence then begins with the name of the field.
    package func sentence(_ message: Message, of field: String? = nil) -> String {
        sentence(translated: self.message(message), of: field)
    }

    /// Returns a message as a sentence that begins with a place in a document, such as `line 3`.
    package func sentence(_ message: Message, at place: String) -> String {
        Sentence(self["labelled", place, self.message(message)]).text
    }

    /// Returns a message that is only known in English in this language, such as one in a document; it is recognised as a
    /// whole.
    package func message(recognizing english: String) -> String {
        if let text = texts[MessageTemplates.prefix + english] { return text }
        guard let (name, parts) = messages.match(english) else { return english }
        let template = name.dropFirst(MessageTemplates.prefix.count)
        // A template that begins with a placeholder is a reminder, whose first part is a name that a person chose.
        if template.hasPrefix("{0}") { return Words.filled(self[name], parts) }
        // A part may be a message or a label itself, such as what a field expects.
        let known = parts.map { texts[MessageTemplates.prefix + $0] ?? texts[Words.labelName($0)] }
        let isOpen = MessageTemplates.open.contains { template.hasPrefix($0) }
        // If an untranslated part contains letters, the whole message stays in English, so that languages are not mixed.
        if isOpen, zip(known, parts).contains(where: { $0 == nil && $1.contains(where: \.isLetter) }) { return english }
        return Words.filled(self[name], zip(known, parts).map { $0 ?? $1 })
    }

    /// Returns a message that is only known in English as a sentence in this language.
    package func sentence(recognizing english: String) -> String {
        sentence(translated: message(recognizing: english), of: nil)
    }

    private func sentence(translated text: String, of field: String?) -> String {
        guard let field else { return Sentence(text).text }
        // An HTTP header, for example, has no label. Its name is shown only on English pages.
        let label =
            texts[Words.labelName(field.prefix(1).uppercased() + field.dropFirst())] ?? (tag == "en" ? field : nil)
        return Sentence(label.map { self["labelled", $0, text] } ?? text).text
    }
}
