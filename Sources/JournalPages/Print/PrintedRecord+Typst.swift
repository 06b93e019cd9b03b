internal import EmbeddedFiles
internal import Interchange

extension PrintedRecord {
    /// The parts of a printed record as a program of Typst, which sets it as a PDF.
    package struct Sheet: Sendable {
        private let words: Words
        private let opening: Opening
        private var kinds: [(label: String, rows: [JSONValue])] = []

        package init(_ opening: Opening, _ words: Words) {
            (self.opening, self.words) = (opening, words)
        }

        package mutating func add(_ rows: Rows) {
            if let label = rows.label { kinds.append((label, [])) }
            guard !kinds.isEmpty else { return }
            kinds[kinds.count - 1].rows += rows.entries.map(row)
        }

        /// Returns the program: the data as JSON in a text, and `print.typ`.
        ///
        /// Typst parses the JSON at run time, so that no text of a record can be read as code or markup.
        package func source(_ closing: Closing) -> String {
            let json = JSONWriter.text(data(closing))
            var literal = ""
            literal.reserveCapacity(json.utf8.count + json.utf8.count / 8)
            for character in json.unicodeScalars {
                if character == "\"" || character == "\\" { literal += "\\" }
                literal.unicodeScalars.append(character)
            }
            return "#let data = json(bytes(\"\(literal)\"))\n"
                + String(decoding: embeddedFile("print.typ"), as: UTF8.self)
        }

        private func data(_ closing: Closing) -> JSONValue {
            func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
            let profile: JSONValue =
                opening.profile.map { profile in
                    let fields = profile.fields.map { JSONValue.array([.string($0.label), .string($0.text)]) }
                    return ["label": .string(words["profile"]), "fields": .array(fields)]
                } ?? .null
            return [
                "title": .string(words["printTitle"]),
                // Typst takes the language alone, as in ISO 639.
                "language": .string(String(words["languageTag"].prefix { $0 != "-" })),
                "isRightToLeft": .bool(words["direction"] == "rtl"),
                "name": .string(opening.name), "facts": .string(opening.facts),
                // The name is isolated, because it may be written from right to left.
                "known": .string("\u{200E}\u{2068}\(opening.name)\u{2069}. \(opening.asOf)"),
                "part": text(opening.right), "profile": profile,
                "columns": .array(["date", "printWhat", "recordedColumn"].map { .string(words[$0]) }),
                "kinds": .array(kinds.map { ["label": .string($0.label), "rows": .array($0.rows)] }),
                "leftOut": [
                    "label": .string(words["leftOut"]), "lines": .array(closing.leftOut.map { .string($0) }),
                ],
                "proof": text(closing.proof),
            ]
        }

        private func row(_ entry: EntryLine) -> JSONValue {
            var lines = [entry.what] + entry.details.map { "\($0.label)\(words["colon"]) \($0.text)" }
            if let comment = entry.comment { lines.append(comment) }
            return .array([
                .string(entry.date ?? words["noDate"]), .array(lines.map { .string($0) }), .string(entry.recorded),
            ])
        }
    }
}
