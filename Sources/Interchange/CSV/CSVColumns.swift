import FoundationEssentials
package import HealthModel

/// The columns of a CSV file that no known mapping fits; a person states their contents.
package struct CSVColumns: Sendable {
    package struct Column: Sendable {
        /// The name in the first line.
        package let name: String
        /// The first cells that are not empty, at most three.
        package let samples: [String]
        /// What the column probably contains, according to its name.
        package let guess: Content
        /// How a template of a mapping names the column: by its name, or else by its number.
        fileprivate let place: String
        /// Whether each cell that is not empty has a unit behind its number.
        fileprivate let hasUnits: Bool
    }

    /// What a column can contain.
    package enum Content: String, CaseIterable, Sendable {
        case nothing, date, time, weight, pressure, systolic, diastolic, pulse, measurement, comment
    }

    package let columns: [Column]
    /// Which of the lines that are not empty has the names of the columns, from 1.
    private let headerLine: Int

    /// How many columns a person may be asked about.
    private static let maximumColumns = 60
    private static let sampleCount = 3

    /// Reads the names in the first line, and the first cells.
    package init(_ bytes: [UInt8]) throws(ModelError) {
        let text = try CSVText(CSVEncoding(guessing: bytes).decode(bytes))
        let header = Self.header(of: text)
        guard header + 1 < text.lines.count else {
            throw ModelError(.invalid, "has no lines below the names of its columns")
        }
        headerLine = header + 1
        let names = text.lines[header].cells.map(\.trimmed)
        guard names.count <= Self.maximumColumns else {
            throw ModelError(.invalid, "has more than \(Self.maximumColumns) columns: remove those that are not needed")
        }
        let isData = names.contains { name in
            CSVNumbers.divided(name)?.unit.isEmpty ?? false
                || CSVDatePattern.common.contains { $0.date(name, in: .gmt) != nil }
        }
        // Otherwise a line of values would be lost, and would be taken for names.
        if isData { throw ModelError(.invalid, "has no names of columns: add them as the first line") }
        guard names.count > 1 else { throw ModelError(.invalid, "has only one column; a date and a value are needed") }
        columns = names.indices.map { index in
            let cells = text.lines.dropFirst(header + 1).lazy
                .compactMap { line in
                    index < line.cells.count ? line.cells[index].trimmed : nil
                }
            let name = names[index]
            let isNamed = !name.isEmpty && !name.contains { "{}|".contains($0) } && names.count { $0 == name } == 1
            return Column(
                name: name.isEmpty ? String(index + 1) : name,
                samples: Array(cells.filter { !$0.isEmpty }.prefix(Self.sampleCount)),
                guess: Content(guessing: name, cells.first { !$0.isEmpty } ?? "", besides: names[..<index]),
                place: isNamed ? name : String(index + 1),
                hasUnits: cells.allSatisfy { $0.isEmpty || CSVNumbers.divided($0)?.unit.isEmpty == false }
            )
        }
    }

    /// The index of the line with the names: the first of the first lines that has as many cells as most lines have.
    private static func header(of text: CSVText) -> Int {
        let first = text.hasSeparatorLine ? 1 : 0
        func width(_ line: CSVText.Line) -> Int {
            line.cells.count - line.cells.reversed().prefix { $0.trimmed.isEmpty }.count
        }
        let counts = Dictionary(grouping: text.lines.dropFirst(first), by: width).mapValues(\.count)
        guard let usual = counts.max(by: { ($0.value, $0.key) < ($1.value, $1.key) })?.key else { return first }
        // The names may have more cells than most lines, whose last cells are empty.
        let lines = text.lines.indices.prefix(CSVMapping.headerLines).dropFirst(first)
        return lines.first { width(text.lines[$0]) >= usual } ?? first
    }

    /// Returns the mapping for what the columns contain, in their order; throws if it does not make entries.
    ///
    /// `weightUnit` is that of weights whose columns do not say it; empty if it is not known.
    package func mapping(_ contents: [Content], weightUnit: String) throws(ModelError) -> JSONValue {
        func columns(_ content: Content) -> [Column] {
            zip(self.columns, contents).filter { $0.1 == content }.map(\.0)
        }
        func single(_ content: Content) throws(ModelError) -> Column? {
            let found = columns(content)
            guard found.count <= 1 else {
                let names = found.map(\.name).joined(separator: ", ")
                throw ModelError(.invalid, "only one column can be that: \(names)")
            }
            return found.first
        }
        guard let date = try single(.date) else { throw ModelError(.invalid, "choose the column that has the date") }
        let dates = [date, try single(.time)].compactMap(\.self)
        let comment = try single(.comment).map { JSONValue.string("{\($0.place)}") }
        var rules: [JSONValue] = []
        func add(_ kind: String, if columns: [Column], _ members: [(String, JSONValue)]) {
            let set = members.map { JSONValue.Member($0.0, $0.1) }
            let places = columns.map { JSONValue.string($0.place) }
            rules.append(["if": .array(places), "kind": .string(kind), "set": .object(set)])
        }
        for column in columns(.weight) {
            let weightUnit = column.weightUnit ?? weightUnit
            if weightUnit.isEmpty { throw ModelError(.invalid, "choose the unit of the weights") }
            add("weight", if: [column], [("value", column.number), ("unit", .string(weightUnit))])
        }
        for column in columns(.pressure) {
            let parts = [("Systolic", "first"), ("Diastolic", "second")]
                .map { name, half -> JSONValue in
                    ["name": .string(name), "value": .string("{\(column.place)|\(half)}"), "unit": "mmHg"]
                }
            add("measurement", if: [column], [("name", "Blood pressure"), ("parts", .array(parts))])
        }
        let (upper, lower) = (try single(.systolic), try single(.diastolic))
        if let upper {
            let halves = [("Systolic", upper)] + (lower.map { [("Diastolic", $0)] } ?? [])
            let parts = halves.map { name, column -> JSONValue in
                ["name": .string(name), "value": column.number, "unit": column.unit ?? "mmHg"]
            }
            add("measurement", if: halves.map(\.1), [("name", "Blood pressure"), ("parts", .array(parts))])
        } else if lower != nil {
            throw ModelError(.invalid, "choose the column that has the systolic pressure, too")
        }
        for column in columns(.pulse) {
            add("measurement", if: [column], [("name", "Heart rate"), ("value", column.number), ("unit", "/min")])
        }
        for column in columns(.measurement) {
            let name = JSONValue.string(column.nameAndUnit.name.replacing("{", with: "{{"))
            let unit = column.unit ?? .string("{\(column.place)|unit}")
            add("measurement", if: [column], [("name", name), ("value", column.number), ("unit", unit)])
        }
        guard !rules.isEmpty else { throw ModelError(.invalid, "choose at least one column that has values") }
        return .present([
            "format": .string(CSVMapping.format), "source": "columns",
            "header": headerLine > 1 ? .integer(headerLine) : nil, "missing": ["-", "–", "—", "--", "n/a", "N/A"],
            "date": ["columns": .array(dates.map { .string($0.place) })], "comment": comment, "rows": .array(rules),
        ])
    }
}

extension CSVColumns.Column {
    /// The unit of weights, if the name or the cells say one and no other.
    fileprivate var weightUnit: String? {
        let words = ([name] + samples).flatMap { $0.lowercased().split { !$0.isLetter } }
        let units = Set(words.compactMap { PurusWords.unit(of: String($0)) })
        return units.count == 1 ? units.first : nil
    }

    /// The template of the number in a cell.
    fileprivate var number: JSONValue { .string("{\(place)|number}") }

    /// The unit in the cells, if each has one, or else in the name; nil if neither says one.
    fileprivate var unit: JSONValue? {
        hasUnits ? .string("{\(place)|unit}") : nameAndUnit.unit.map { .string($0) }
    }

    /// The name without a known unit in brackets at its end, and that unit: `Glucose (mmol/L)`.
    fileprivate var nameAndUnit: (name: String, unit: String?) {
        for (open, close): (Character, Character) in [("(", ")"), ("[", "]")] where name.last == close {
            guard let start = name.lastIndex(of: open) else { continue }
            let (text, unit) = (String(name[..<start]).trimmed, String(name[start...].dropFirst().dropLast()).trimmed)
            if !text.isEmpty, CSVUnits.code(unit) != nil { return (text, unit) }
        }
        return (name, nil)
    }
}

extension CSVColumns.Content {
    /// What a column with a name probably contains: the names are those that devices and people write in three languages.
    ///
    /// `cell` is its first value. A column with the content of one of `others` before it is not taken.
    fileprivate init(guessing name: String, _ cell: String = "", besides others: ArraySlice<String> = []) {
        let name = name.lowercased()
        let beginnings: [(Self, [String])] = [
            (.date, ["date", "datum", "timestamp", "zeitpunkt"]), (.time, ["time", "zeit", "uhrzeit", "heure"]),
            (.weight, ["weight", "gewicht", "poids"]), (.systolic, ["systol"]), (.diastolic, ["diastol"]),
            (.pulse, ["pulse", "puls", "heart rate", "pouls", "fréquence cardiaque"]),
            (.comment, ["comment", "kommentar", "bemerkung", "note", "notiz", "remarque"]),
        ]
        let short: [String: Self] = ["sys": .systolic, "dia": .diastolic]
        let named = short[name] ?? beginnings.first { $0.1.contains { name.hasPrefix($0) } }?.0 ?? .nothing
        let isTaken = others.contains { Self(guessing: $0) == named }
        self = named == .nothing && CSVNumbers.halves(cell) != nil ? .pressure : isTaken ? .nothing : named
    }
}
