package import FoundationEssentials
package import HealthModel

/// Information that a CSV file does not contain.
package struct CSVOptions: Sendable {
    package var now: Instant
    /// The time zone of times without an offset, unless the mapping names one.
    package var zone: TimeZone
    /// Derives the ids of entries from their lines.
    package var namespace: UUID
    /// Returns the time zone with an IANA name; nil if there is none.
    package var zoneNamed: @Sendable (String) -> TimeZone?
    /// What the reader of the file says of its numbers and dates, instead of the mapping.
    package var decimal: UInt8?
    package var datePattern: CSVDatePattern?

    package init(
        now: Instant,
        zone: TimeZone,
        namespace: UUID,
        zoneNamed: @escaping @Sendable (String) -> TimeZone?
    ) {
        (self.now, self.zone, self.namespace) = (now, zone, namespace)
        self.zoneNamed = zoneNamed
    }
}

/// What a CSV file becomes according to a mapping, with its faults.
package struct CSVDocument: Sendable {
    /// A line beside what it becomes.
    package struct Line: Sendable {
        package var number: Int
        package var cells: [String]
        package var entries: [ImportedEntry]
    }

    /// How many lines are kept for a preview.
    package static let previewLength = 20
    /// The largest file, in bytes.
    package static let maximumBytes = JSONReader.maximumBytes

    package internal(set) var entries: [ImportedEntry] = []
    /// The first lines.
    package internal(set) var preview: [Line] = []
    var faults = DocumentFaults()
    /// How the file was read, each in one phrase, such as `dates dd.MM.yyyy (guessed)`.
    package internal(set) var reading: [String] = []
    /// The mapping as JSON, if a person made it and it can be recognized by the columns.
    package internal(set) var mapping: String?

    /// The faults; at most 100 are kept.
    package var listedFaults: [ModelError] { faults.first }
    package var faultCount: Int { faults.count }

    init() {}

    /// Reads a file; throws only if it cannot be divided into lines, or the mapping does not fit its columns.
    package init(_ bytes: [UInt8], as mapping: CSVMapping, options: CSVOptions) throws(ModelError) {
        let table = try CSVFile(bytes, mapping)
        let zone = try Self.zone(mapping, options)
        var reader = try CSVReader(table, mapping, zone, options)
        self = reader.read()
        self.mapping = mapping.remembered(for: table.names)
    }

    private static func zone(_ mapping: CSVMapping, _ options: CSVOptions) throws(ModelError) -> TimeZone {
        guard let name = mapping.zone else { return options.zone }
        guard let zone = options.zoneNamed(name) else {
            throw ModelError(.invalid, field: "zone", "there is no time zone with that name")
        }
        return zone
    }

    /// What a preview shows: how the file was read, its first lines beside what they become, and its faults.
    package var json: JSONValue {
        [
            "reading": .array(reading.map { .string($0) }),
            "lines": .array(
                preview.map { line in
                    [
                        "line": .integer(line.number), "cells": .array(line.cells.map { .string($0) }),
                        "entries": .array(line.entries.map { .object($0.members) }),
                    ]
                }
            ), "count": .integer(entries.count), "faultCount": .integer(faultCount),
            "faults": .array(listedFaults.map { .string($0.description) }),
        ]
    }

    /// The document for the application; throws one error that lists all faults.
    package func record(_ id: UUID) throws(ModelError) -> ImportedRecord {
        try faults.requireNone()
        guard !entries.isEmpty else { throw ModelError(.invalid, "contains no line that becomes an entry") }
        var record = ImportedRecord(
            id: id,
            profile: RecordProfile(subject: .human),
            entries: entries,
            shape: .csv,
            unrepresented: []
        )
        record.hasProfile = false
        record.mapping = mapping
        return record
    }
}

extension ImportedEntry {
    /// The entry in the native format.
    fileprivate var members: [JSONValue.Member] {
        let head: [JSONValue.Member] = [.init("kind", .string(content.kind.name)), .init("id", .string(id.text))]
        return head + NativeDocument.members(of: content).filter { $0.name != "kind" }
    }
}

/// A CSV file with the names of its columns.
struct CSVFile {
    let columns: [String: Int]
    /// The names of the columns, each once; none for a file without names.
    let names: [String]
    /// The names of the columns in one text, which is part of the identity of a line.
    let header: String
    let lines: ArraySlice<CSVText.Line>
    /// The name of each column, in their order; numbers for a file without names.
    let columnNames: [String]
    let encoding: CSVEncoding
    let delimiter: UInt8
    private let missing: Set<String>

    init(_ bytes: [UInt8], _ mapping: CSVMapping) throws(ModelError) {
        encoding = mapping.encoding ?? CSVEncoding(guessing: bytes)
        let text = try CSVText(encoding.decode(bytes), delimiter: mapping.delimiter)
        delimiter = text.delimiter
        let width = text.lines.lazy.map(\.cells.count).max() ?? 0
        var columns = Dictionary(uniqueKeysWithValues: (0..<width).map { (String($0 + 1), $0) })
        var (names, repeated) = ([String](), Set<String>())
        let headerIndex = Self.header(of: text, mapping)
        if let headerIndex {
            guard text.lines.indices.contains(headerIndex) else {
                throw ModelError(.invalid, "has no line with names of columns")
            }
            names = text.lines[headerIndex].cells.map(\.trimmed)
            for (index, name) in names.enumerated() {
                if names[..<index].contains(name) { repeated.insert(name) }
                columns[name] = index
            }
        }
        let first = headerIndex.map { $0 + 1 } ?? (text.hasSeparatorLine ? 1 : 0)
        lines = text.lines[min(first, text.lines.count)...]
        columnNames = headerIndex == nil ? (lines.first?.cells.indices.map { String($0 + 1) } ?? []) : names
        header = names.joined(separator: "\u{1F}")
        self.names = Set(names).subtracting([""]).sorted()
        self.columns = columns
        missing = mapping.missing
        if let name = mapping.columns.first(where: repeated.contains) {
            throw ModelError(.invalid, "has the column \(DocumentPath().appending(name)) twice")
        }
        for name in mapping.neededColumns where columns[name] == nil {
            throw ModelError(.invalid, "has no column \(DocumentPath().appending(name)), which the mapping needs")
        }
    }

    /// The index of the line with the names of the columns; nil for a file without names.
    private static func header(of text: CSVText, _ mapping: CSVMapping) -> Int? {
        let first = text.hasSeparatorLine ? 1 : 0
        switch mapping.header {
        case .none: return nil
        case .line(let line): return max(line - 1, first)
        case .found:
            // Columns that the mapping names by their numbers are in any line.
            let needed = Set(mapping.neededColumns.filter { Int($0) == nil })
            if needed.isEmpty { return first }
            let lines = text.lines.indices.prefix(CSVMapping.headerLines).dropFirst(first)
            return lines.first { needed.isSubset(of: text.lines[$0].cells.map(\.trimmed)) } ?? first
        }
    }

    /// The cell of a column; empty for one that says that there is no value, and for a line that ends before it.
    func cell(_ name: String, of line: CSVText.Line) -> String {
        guard let index = columns[name], index < line.cells.count else { return "" }
        let text = line.cells[index].trimmed
        return missing.contains(text) ? "" : text
    }
}

/// Applies a mapping to the lines of a file.
struct CSVReader {
    private let file: CSVFile
    private let mapping: CSVMapping
    private let zone: TimeZone
    private let options: CSVOptions
    private var document = CSVDocument()
    private let numbers: CSVNumbers
    private let pattern: CSVDatePattern?
    private let ruleKeys: [String]
    /// How many lines had the same cells so far.
    private var counts: [String: Int] = [:]

    init(_ file: CSVFile, _ mapping: CSVMapping, _ zone: TimeZone, _ options: CSVOptions) throws(ModelError) {
        (self.file, self.mapping, self.zone, self.options) = (file, mapping, zone, options)
        let guess = CSVGuess(file, mapping, zone)
        var faults = DocumentFaults()
        var numbers = CSVNumbers.point
        if let decimal = options.decimal ?? mapping.decimal {
            numbers = CSVNumbers(decimal: decimal, thousands: mapping.thousands)
        } else {
            do { numbers = try guess.numbers() } catch { faults.note(error) }
        }
        var pattern = options.datePattern ?? mapping.datePattern
        if pattern == nil, !mapping.dateColumns.isEmpty {
            do { pattern = try guess.pattern() } catch { faults.note(error) }
        }
        (self.numbers, self.pattern) = (numbers, pattern)
        ruleKeys = mapping.ruleKeys
        document.faults = faults
        document.reading = Self.reading(file, mapping, numbers, pattern, zone, options)
    }

    private static func reading(
        _ file: CSVFile,
        _ mapping: CSVMapping,
        _ numbers: CSVNumbers,
        _ pattern: CSVDatePattern?,
        _ zone: TimeZone,
        _ options: CSVOptions
    ) -> [String] {
        func shown(_ text: String, isGiven: Bool) -> String { isGiven ? text : text + " (guessed)" }
        let delimiter = file.delimiter == 0x09 ? "tab" : "\"\(Character(Unicode.Scalar(file.delimiter)))\""
        let decimal = "\"\(Character(Unicode.Scalar(numbers.decimal)))\""
        var parts = [
            shown("encoding \(file.encoding.rawValue)", isGiven: mapping.encoding != nil),
            shown("cells separated by \(delimiter)", isGiven: mapping.delimiter != nil),
            shown("decimal sign \(decimal)", isGiven: (options.decimal ?? mapping.decimal) != nil),
        ]
        if let pattern {
            let isGiven = (options.datePattern ?? mapping.datePattern) != nil
            parts.append(shown("dates \(pattern.text)", isGiven: isGiven))
            parts.append("times in \(zone.identifier)")
        }
        return parts
    }

    mutating func read() -> CSVDocument {
        // Without knowing how numbers and dates are written, each line would have the same fault.
        guard document.faults.count == 0 else { return document }
        for line in file.lines {
            let entries = entries(of: line)
            document.entries += entries
            if document.preview.count < CSVDocument.previewLength {
                document.preview.append(.init(number: line.number, cells: line.cells, entries: entries))
            }
        }
        return document
    }

    private mutating func entries(of line: CSVText.Line) -> [ImportedEntry] {
        do throws(ModelError) {
            try CSVText.requireCells(of: line, columns: file.columnNames)
        } catch {
            document.faults.note(error)
            return []
        }
        let identity = line.cells.joined(separator: "\u{1F}")
        let ordinal = counts[identity, default: 0]
        counts[identity] = ordinal + 1
        var entries: [ImportedEntry] = []
        for (rule, key) in zip(mapping.rules, ruleKeys) where applies(rule, to: line) {
            let name = "csv\n\(mapping.source)\n\(file.header)\n\(key)\n\(identity)\n\(ordinal)"
            do throws(ModelError) {
                let content = try content(rule, line, comment: entries.isEmpty ? mapping.comment : nil)
                let path = "line \(line.number)"
                entries.append(
                    ImportedEntry(id: UUID(nameBased: options.namespace, name), content: content, path: path)
                )
            } catch {
                document.faults.note(error)
            }
        }
        return entries
    }

    private func applies(_ rule: CSVMapping.Rule, to line: CSVText.Line) -> Bool {
        switch rule.condition {
        case nil: true
        case .isFilled(let columns): columns.contains { !file.cell($0, of: line).isEmpty }
        case .equals(let column, let text): file.cell(column, of: line) == text
        }
    }

    // MARK: - The content of an entry

    private func content(
        _ rule: CSVMapping.Rule,
        _ line: CSVText.Line,
        comment: JSONValue?
    ) throws(ModelError) -> EntryContent {
        var members: [JSONValue.Member] = []
        for member in rule.set {
            let field = rule.kind.fields.first { $0.name == member.name }
            guard let value = try value(member.value, as: field?.type ?? .text(maximum: Limits.paragraphs), line) else {
                continue
            }
            members.append(.init(member.name, value))
        }
        if let comment, !members.contains(where: { $0.name == "comment" }),
            let value = try value(comment, as: .text(maximum: Limits.paragraphs), line)
        {
            members.append(.init("comment", value))
        }
        do throws(ModelError) {
            var content = try NativeObject(.object(members)).decodeContent(of: rule.kind)
            content.date = try date(of: line)
            try content.validate(now: options.now)
            try requireUnits(of: rule.set, line)
            return content
        } catch {
            if error.field?.hasPrefix("line ") == true { throw error }
            throw error.at(place(line, columns(of: error.field, in: rule)))
        }
    }

    /// Throws if the cell of a value names another unit than the mapping: the value would be wrong.
    private func requireUnits(of members: [JSONValue.Member], _ line: CSVText.Line) throws(ModelError) {
        for member in members {
            guard case .array(let items) = member.value else { continue }
            for item in items {
                if case .object(let members) = item { try requireUnits(of: members, line) }
            }
        }
        guard case .string(let text)? = members.first(where: { $0.name == "unit" })?.value,
            let value = members.first(where: { $0.name == "value" })?.value, let unit = CSVUnits.code(text)
        else { return }
        for column in CSVTemplate.columns(of: value) {
            let rest = CSVNumbers.divided(file.cell(column, of: line))?.unit ?? ""
            guard let named = CSVUnits.code(rest), named != unit else { continue }
            let message: Message = "is in \(named), but the mapping says \(text)"
            throw ModelError(.invalid, field: place(line, [column]).field, message)
        }
    }

    /// The columns from which a field comes, for an error.
    private func columns(of field: String?, in rule: CSVMapping.Rule) -> [String] {
        guard let field else { return [] }
        if field == "date" { return mapping.dateColumns }
        let name = field.prefix { $0 != "." && $0 != "[" }
        return rule.set.filter { $0.name == name }.flatMap { CSVTemplate.columns(of: $0.value) }
    }

    /// Where a fault is: the names of columns come from the file, so they are made printable.
    private func place(_ line: CSVText.Line, _ columns: [String]) -> DocumentPath {
        let names = columns.map { DocumentPath().appending($0).text }.joined(separator: ", ")
        return DocumentPath("line \(line.number)" + (names.isEmpty ? "" : ", column \(names)"))
    }

    private func date(of line: CSVText.Line) throws(ModelError) -> OccurredDate? {
        guard let pattern else { return nil }
        let text = mapping.dateColumns.map { file.cell($0, of: line) }.joined(separator: " ").trimmed
        let path = place(line, mapping.dateColumns)
        guard !text.isEmpty else { throw ModelError(.invalid, field: path.field, "has no date") }
        guard let date = pattern.date(text, in: zone) else {
            throw ModelError(.invalid, field: path.field, "is no date written as \(pattern.text)")
        }
        return date
    }

    /// The value of a member as the native format has it; nil if its cells are empty.
    private func value(
        _ template: JSONValue,
        as type: FieldType,
        _ line: CSVText.Line
    ) throws(ModelError) -> JSONValue? {
        switch (template, type) {
        case (.string(let text), _): return try filled(text, as: type, line)
        case (.array(let items), .list(let element, _)):
            var values: [JSONValue] = []
            for item in items {
                if let value = try value(item, as: element, line) { values.append(value) }
            }
            return values.isEmpty ? nil : .array(values)
        case (.object(let members), .group(let fields)):
            var values: [JSONValue.Member] = []
            // A group in which only constants of the mapping are left, such as a unit, says nothing.
            var (refers, isFilled) = (false, false)
            for member in members {
                let field = fields.first { $0.name == member.name }
                let isFromCells = !CSVTemplate.columns(of: member.value).isEmpty
                refers = refers || isFromCells
                guard let value = try value(member.value, as: field?.type ?? .flag, line) else { continue }
                isFilled = isFilled || isFromCells
                values.append(.init(member.name, value))
            }
            return refers && !isFilled ? nil : .object(values)
        default: return template
        }
    }

    private func filled(_ text: String, as type: FieldType, _ line: CSVText.Line) throws(ModelError) -> JSONValue? {
        // Checked when the mapping was read.
        let parts = try CSVTemplate(text).parts
        var result = ""
        var isEmpty = true
        for part in parts {
            switch part {
            case .text(let literal): result += literal
            case .cell(let column, let filter):
                let cell = try filtered(file.cell(column, of: line), filter, line, column)
                if !cell.isEmpty { isEmpty = false }
                result += cell
            }
        }
        let refers = parts.contains { if case .cell = $0 { true } else { false } }
        if refers && isEmpty || result.isEmpty { return nil }
        switch type {
        case .decimal: return .string(try number(result, line, text))
        case .integer: return .number(try number(result, line, text))
        case .flag:
            guard case .flag(let flag)? = try? FieldValue(parsing: result.lowercased(), as: Field(0, "", "", .flag))
            else {
                return .string(result)
            }
            return .bool(flag)
        default: return .string(result)
        }
    }

    private func filtered(
        _ cell: String,
        _ filter: CSVTemplate.Filter,
        _ line: CSVText.Line,
        _ column: String
    ) throws(ModelError) -> String {
        if filter == .whole || cell.isEmpty { return cell }
        if filter == .first || filter == .second {
            guard let halves = CSVNumbers.halves(cell),
                let number = numbers.canonical(filter == .first ? halves.first : halves.second)
            else {
                throw ModelError(.invalid, field: place(line, [column]).field, "is no blood pressure such as 120/80")
            }
            return number
        }
        guard let parts = CSVNumbers.divided(cell) else {
            throw ModelError(.invalid, field: place(line, [column]).field, "does not begin with a number")
        }
        if filter == .unit { return parts.unit }
        guard let number = numbers.canonical(parts.number) else {
            throw ModelError(.invalid, field: place(line, [column]).field, notANumber)
        }
        return number
    }

    private func number(_ text: String, _ line: CSVText.Line, _ template: String) throws(ModelError) -> String {
        // A filter has already written the number as JSON does.
        if ["|number}", "|first}", "|second}"].contains(where: template.contains) { return text }
        if let number = numbers.canonical(text) { return number }
        throw ModelError(
            .invalid,
            field: place(line, CSVTemplate.columns(of: .string(template))).field,
            notANumber
        )
    }

    private var notANumber: Message {
        "is not a number with the decimal sign \"\(Character(Unicode.Scalar(numbers.decimal)))\""
    }
}

/// Finds out how the numbers and dates of a file are written.
///
/// If the file can be read in two ways, it says so: a wrong guess would change values without anybody noticing.
struct CSVGuess {
    private let file: CSVFile
    private let mapping: CSVMapping
    private let zone: TimeZone

    init(_ file: CSVFile, _ mapping: CSVMapping, _ zone: TimeZone) {
        (self.file, self.mapping, self.zone) = (file, mapping, zone)
    }

    func numbers() throws(ModelError) -> CSVNumbers {
        var fits = [CSVNumbers.point: 0, .comma: 0]
        /// The first line with a number that means something else with the other decimal sign.
        var doubtful: (line: Int, column: String)?
        let columns = numberColumns
        for line in file.lines {
            for column in columns {
                guard let text = CSVNumbers.divided(file.cell(column, of: line))?.number else { continue }
                let (point, comma) = (CSVNumbers.point.canonical(text), CSVNumbers.comma.canonical(text))
                if point != nil { fits[.point, default: 0] += 1 }
                if comma != nil { fits[.comma, default: 0] += 1 }
                if doubtful == nil, point != nil, comma != nil, point != comma { doubtful = (line.number, column) }
            }
        }
        let (point, comma) = (fits[.point, default: 0], fits[.comma, default: 0])
        if point == comma, let doubtful {
            throw ModelError(
                .invalid,
                field: "line \(doubtful.line), column \(DocumentPath().appending(doubtful.column))",
                "can be read in two ways: give the decimal sign, point or comma"
            )
        }
        return comma > point ? .comma : .point
    }

    /// The columns that are read as numbers.
    private var numberColumns: [String] {
        var found: Set<String> = []
        for rule in mapping.rules {
            for member in rule.set {
                collect(member.value, rule.kind.fields.first { $0.name == member.name }?.type, &found)
            }
        }
        return found.sorted()
    }

    private func collect(_ value: JSONValue, _ type: FieldType?, _ found: inout Set<String>) {
        switch value {
        case .string(let text):
            let isNumber =
                switch type {
                case .decimal, .integer: true
                default: false
                }
            for case .cell(let name, let filter) in (try? CSVTemplate(text))?.parts ?? []
            where isNumber || filter == .number {
                found.insert(name)
            }
        case .array(let items):
            let element: FieldType? = if case .list(let element, _) = type { element } else { nil }
            for item in items { collect(item, element, &found) }
        case .object(let members):
            let fields: [Field] = if case .group(let fields) = type { fields } else { [] }
            for member in members { collect(member.value, fields.first { $0.name == member.name }?.type, &found) }
        default: break
        }
    }

    func pattern() throws(ModelError) -> CSVDatePattern {
        let dates = file.lines
            .map { line in
                (line.number, mapping.dateColumns.map { file.cell($0, of: line) }.joined(separator: " ").trimmed)
            }
            .filter { !$0.1.isEmpty }
        func fits(_ patterns: [CSVDatePattern]) -> [CSVDatePattern] {
            patterns.filter { pattern in dates.allSatisfy { pattern.date($0.1, in: zone) != nil } }
        }
        var fitting = fits(CSVDatePattern.common)
        if fitting.isEmpty { fitting = fits(CSVDatePattern.mixed) }
        let place = DocumentPath().appending(mapping.dateColumns.joined(separator: ", "))
        guard let first = fitting.first else {
            // Most lines may be well, and a few may not.
            let counts = CSVDatePattern.common.map { pattern in
                (pattern, dates.count { pattern.date($0.1, in: zone) != nil })
            }
            if let best = counts.max(by: { $0.1 < $1.1 }), best.1 * 2 > dates.count { return best.0 }
            throw ModelError(
                .invalid,
                field: "column \(place)",
                "has dates of an unknown form: give their pattern, such as dd.MM.yyyy HH:mm"
            )
        }
        for (number, text) in dates {
            guard let other = fitting.first(where: { $0.date(text, in: zone) != first.date(text, in: zone) }) else {
                continue
            }
            throw ModelError(
                .invalid,
                field: "line \(number), column \(place)",
                "can be read in two ways: give the pattern of the dates, \(first.text) or \(other.text)"
            )
        }
        return first
    }
}
