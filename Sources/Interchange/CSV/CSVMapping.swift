internal import EmbeddedFiles
package import HealthModel

/// What the columns of a CSV file become, in the format `healthjournal-csv/1`.
///
/// One line may become several entries: each rule whose condition holds makes one.
package struct CSVMapping: Sendable {
    package static let format = "healthjournal-csv/1"

    /// The name of what writes such files, which is part of the identity of each line.
    package var source: String
    /// Nil if it is guessed from the file.
    package var encoding: CSVEncoding?
    package var delimiter: UInt8?
    package var decimal: UInt8?
    package var thousands: UInt8?
    /// What devices write into a cell that has no value, such as a dash.
    package var missing: Set<String>
    /// Where the names of the columns are.
    package var header: Header
    /// The IANA name of the time zone of the times; nil for the journal's.
    package var zone: String?
    /// Columns by which a file is recognized.
    package var match: [String]
    /// The columns with the date, which are read with a space between them; none for entries without a date.
    package var dateColumns: [String]
    package var datePattern: CSVDatePattern?
    /// The template of the comment that the first entry of a line gets, if its rule has none.
    var comment: JSONValue?
    package var rules: [Rule]
    /// The mapping as JSON.
    package let text: String

    package enum Header: Hashable, Sendable {
        /// In the first line that has all columns which the mapping needs, among the first ten.
        case found
        /// In one of the lines that are not empty, from 1.
        case line(Int)
        /// The file has no names.
        case none
    }

    package struct Rule: Sendable {
        var condition: Condition?
        var kind: Kind
        /// The members of an entry in the native format, whose texts are templates.
        var set: [JSONValue.Member]
    }

    /// When a rule applies to a line.
    enum Condition: Sendable {
        /// The cell of one of the columns is not empty.
        case isFilled([String])
        /// The cell of a column has a text.
        case equals(String, String)
    }

    /// Decodes a mapping; an error names the member.
    package init(_ json: JSONValue) throws(ModelError) {
        let object = try NativeObject(json)
        text = JSONWriter.text(json)
        try object.requireMembers([
            "format", "source", "encoding", "delimiter", "decimal", "thousands", "header", "missing", "zone", "match",
            "date", "comment", "rows",
        ])
        guard try object.required("format") == Self.format else {
            throw ModelError(.invalid, field: "format", "must be \(Self.format)")
        }
        source = try object.text("source") ?? ""
        encoding = try object.optionalChoice("encoding", CSVEncoding.self)
        delimiter = try object.sign("delimiter", among: CSVText.delimiters)
        decimal = try object.sign("decimal", among: [".", ","].map { UInt8(ascii: $0) })
        thousands = try object.sign("thousands", among: [".", ",", "'", " "].map { UInt8(ascii: $0) })
        if let decimal, decimal == thousands {
            throw ModelError(.invalid, field: "thousands", "must differ from the decimal sign")
        }
        switch object.members.first(where: { $0.name == "header" })?.value {
        case nil, .bool(true): header = .found
        case .bool(false): header = .none
        default:
            guard let line = try object.optionalInteger("header"), (1...1_000).contains(line) else {
                throw ModelError(.invalid, field: "header", "must be true, false or the number of a line")
            }
            header = .line(line)
        }
        missing = Set(try object.optionalTexts("missing"))
        zone = try object.text("zone")
        match = try object.optionalTexts("match")
        let date = try object.optionalObject("date")
        dateColumns = try date?.optionalTexts("columns") ?? []
        datePattern = try date?.parsed("pattern") { text throws(ModelError) in try CSVDatePattern(text) }
        comment = try object.text("comment").map { .string($0) }
        if let comment { try CSVTemplate.check(comment, at: object.path.appending("comment")) }
        var rules: [Rule] = []
        for row in try object.objects("rows") { rules.append(try Rule(row)) }
        guard !rules.isEmpty else { throw ModelError(.invalid, field: "rows", "must say what a line becomes") }
        self.rules = rules
    }

    /// The columns that a file must have; all others may be missing, and then have no values.
    var neededColumns: [String] { match.isEmpty ? columns : match + dateColumns }

    /// The columns to which the mapping refers.
    var columns: [String] {
        var names = dateColumns + (comment.map(CSVTemplate.columns) ?? [])
        for rule in rules {
            switch rule.condition {
            case .isFilled(let columns): names += columns
            case .equals(let name, _): names.append(name)
            case nil: break
            }
            names += rule.set.flatMap { CSVTemplate.columns(of: $0.value) }
        }
        return names
    }

    /// What tells the rules apart: the kind and the name of what they make, and their order among those that have the same.
    ///
    /// So an entry keeps its id if its mapping is corrected in other respects.
    var ruleKeys: [String] {
        var counts: [String: Int] = [:]
        return rules.map { rule in
            let name = rule.set.first { $0.name == "name" }.map { JSONWriter.text($0.value) } ?? ""
            let key = "\(rule.kind.name)\n\(name)"
            counts[key, default: 0] += 1
            return "\(key)\n\(counts[key, default: 0])"
        }
    }

    /// The mappings for files of common devices and apps.
    ///
    /// Their columns are as users of these apps quote them; the makers document none of them.
    package static let builtIn: [CSVMapping] = {
        guard case .array(let items)? = try? JSONReader.read(embeddedFile("mappings.json")) else { return [] }
        return items.compactMap { try? CSVMapping($0) }
    }()

    /// Whether this is one of the built-in mappings.
    package var isBuiltIn: Bool { Self.builtIn.contains { $0.text == text } }

    /// How many of the first lines may have the names of the columns.
    static let headerLines = 10

    /// The cells of each of the first lines of a file, one of which has the names of the columns by which a mapping is
    /// recognized; throws if it has no lines.
    package static func columnNames(_ bytes: [UInt8]) throws(ModelError) -> [Set<String>] {
        let text = try CSVText(CSVEncoding(guessing: bytes).decode(bytes))
        guard !text.lines.isEmpty else { throw ModelError(.invalid, "has no lines") }
        return text.lines.prefix(headerLines).map { Set($0.cells.map(\.trimmed)) }
    }

    /// The largest mapping that is remembered, in bytes.
    private static let maximumRemembered = 16 << 10

    /// Returns the mapping as JSON, such that it is recognized by exactly these columns; nil without names, and for a built-in
    /// or a very long mapping.
    func remembered(for names: [String]) -> String? {
        guard !names.isEmpty, !isBuiltIn, case .object(let members)? = try? JSONReader.read(Array(text.utf8)) else {
            return nil
        }
        let match = JSONValue.Member("match", .array(names.map { .string($0) }))
        let text = JSONWriter.text(.object(members.filter { $0.name != "match" } + [match]))
        return text.utf8.count <= Self.maximumRemembered ? text : nil
    }

    /// Whether a file has the columns that the mapping names, and no others.
    package func fitsExactly(_ lines: [Set<String>]) -> Bool {
        !match.isEmpty && lines.contains { Set(match) == $0.subtracting([""]) }
    }

    /// Whether the mapping is recognized by columns that a file has.
    package func fits(_ lines: [Set<String>]) -> Bool {
        !match.isEmpty && lines.contains { $0.isSuperset(of: match) }
    }

    /// Returns the mapping among the built-in ones whose columns a file has; nil if none has, or several have.
    package static func builtIn(for lines: [Set<String>]) -> CSVMapping? {
        let fitting = builtIn.filter { $0.fits(lines) }
        return fitting.count == 1 ? fitting.first : nil
    }
}

extension CSVMapping.Rule {
    fileprivate init(_ object: NativeObject) throws(ModelError) {
        try object.requireMembers(["if", "kind", "set"])
        kind = try object.kind()
        switch object.members.first(where: { $0.name == "if" })?.value {
        case nil: condition = nil
        case .string(let column): condition = .isFilled([column])
        case .array(let items)
        where !items.isEmpty && items.allSatisfy({ if case .string = $0 { true } else { false } }):
            condition = .isFilled(items.compactMap { if case .string(let column) = $0 { column } else { nil } })
        case .object(let members) where members.count == 1:
            guard case .string(let text) = members[0].value else { fallthrough }
            condition = .equals(members[0].name, text)
        default:
            throw ModelError(
                .invalid,
                field: object.path.appending("if").field,
                "must be the name of a column, several in an array, or an object with one column and its text"
            )
        }
        let values = try object.object("set")
        let known = Set(kind.fields.map(\.name)).union(["comment"])
        for member in values.members {
            let path = values.path.appending(member.name)
            guard known.contains(member.name) else {
                throw ModelError(.invalid, field: path.field, "is no field of the kind \(kind.name)")
            }
            try CSVTemplate.check(member.value, at: path)
        }
        set = values.members
    }
}

extension NativeObject {
    /// A member that is one of some ASCII characters, or empty for none of them.
    fileprivate func sign(_ name: String, among signs: [UInt8]) throws(ModelError) -> UInt8? {
        guard let text = try text(name), !text.isEmpty else { return nil }
        guard text.utf8.count == 1, let sign = text.utf8.first, signs.contains(sign) else {
            let listed = signs.map { $0 == 0x09 ? "a tab" : "\"\(Character(Unicode.Scalar($0)))\"" }
            throw ModelError(
                .invalid,
                field: path.appending(name).field,
                "must be one of \(listed.joined(separator: ", "))"
            )
        }
        return sign
    }
}

/// A template for a value, in which `{Column}` is replaced by the cell of that column.
///
/// `{Column|number}` is the number at the beginning of the cell, and `{Column|unit}` what follows it, as in `104 mmHg`.
/// `{Column|first}` and `{Column|second}` are the numbers of a blood pressure such as `120/80`.
/// `{1}` is the first column of a file without names, and `{{` a brace.
struct CSVTemplate {
    enum Part {
        case text(String)
        case cell(String, Filter)
    }

    enum Filter: String {
        case whole = ""
        case number, unit, first, second
    }

    let parts: [Part]

    init(_ text: String) throws(ModelError) {
        var parts: [Part] = []
        var literal = ""
        var rest = Substring(text)
        while let character = rest.popFirst() {
            guard character == "{", rest.first != "{" else {
                if character == "{" { rest = rest.dropFirst() }
                literal.append(character)
                continue
            }
            guard let end = rest.firstIndex(of: "}") else {
                throw ModelError(.invalid, "has a brace that is never closed; a brace itself is written as {{")
            }
            let inside = rest[..<end]
            rest = rest[rest.index(after: end)...]
            let (name, filter) =
                inside.lastIndex(of: "|").map { (inside[..<$0], String(inside[inside.index(after: $0)...])) }
                ?? (inside, "")
            guard let filter = Filter(rawValue: filter) else {
                throw ModelError(.invalid, "has an unknown filter; number, unit, first and second are known")
            }
            if !literal.isEmpty { parts.append(.text(literal)) }
            literal = ""
            parts.append(.cell(String(name), filter))
        }
        if !literal.isEmpty { parts.append(.text(literal)) }
        self.parts = parts
    }

    /// The columns to which the templates of a value refer.
    static func columns(of value: JSONValue) -> [String] {
        switch value {
        case .string(let text):
            ((try? CSVTemplate(text))?.parts ?? []).compactMap { if case .cell(let name, _) = $0 { name } else { nil } }
        case .array(let items): items.flatMap(columns)
        case .object(let members): members.flatMap { columns(of: $0.value) }
        default: []
        }
    }

    static func check(_ value: JSONValue, at path: DocumentPath) throws(ModelError) {
        switch value {
        case .string(let text):
            do { _ = try CSVTemplate(text) } catch { throw error.at(path) }
        case .array(let items):
            for (index, item) in items.enumerated() { try check(item, at: path.appending(index)) }
        case .object(let members):
            for member in members { try check(member.value, at: path.appending(member.name)) }
        default: break
        }
    }
}
