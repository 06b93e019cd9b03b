package import FoundationEssentials
package import HealthModel

extension CSVTable {
    /// Whether a file is a table that a journal exported, perhaps edited in a spreadsheet since.
    package static func isTable(_ bytes: [UInt8]) -> Bool {
        guard let text = try? CSVEncoding(guessing: bytes).decode(bytes), let header = try? CSVText(text).lines.first
        else {
            return false
        }
        return Set(header.cells).isSuperset(of: ["kind", "id", "date", "comment"])
    }

    /// Reads an exported table: a changed cell corrects its entry, and a line without an id adds one.
    ///
    /// What a table does not have of an entry, such as the items of a list, stays as it is. `known` are the entries of the
    /// record by their ids.
    package static func read(
        _ bytes: [UInt8],
        known: [UUID: EntryState],
        options: CSVOptions
    ) throws(ModelError) -> CSVDocument {
        let encoding = CSVEncoding(guessing: bytes)
        let text = try CSVText(encoding.decode(bytes))
        guard let header = text.lines.first else { throw ModelError(.invalid, "has no line with names of columns") }
        var columns: [String: Int] = [:]
        for (index, name) in header.cells.enumerated() {
            guard columns.updateValue(index, forKey: name) == nil else {
                throw ModelError(
                    .invalid,
                    field: "line \(header.number)",
                    "has the column \(DocumentPath().appending(name)) twice"
                )
            }
        }
        var reader = Reader(names: header.cells, columns: columns, known: known, options: options)
        return reader.read(text.lines.dropFirst())
    }

    private struct Reader {
        let names: [String]
        let columns: [String: Int]
        let known: [UUID: EntryState]
        let options: CSVOptions
        var document = CSVDocument()
        /// How many lines without an id had the same cells so far.
        var counts: [String: Int] = [:]

        mutating func read(_ lines: ArraySlice<CSVText.Line>) -> CSVDocument {
            document.reading = ["a table that a HealthJournal exported"]
            for line in lines {
                var entries: [ImportedEntry] = []
                do throws(ModelError) {
                    entries = [try entry(of: line)]
                } catch {
                    document.faults.note(error)
                }
                document.entries += entries
                if document.preview.count < CSVDocument.previewLength {
                    document.preview.append(.init(number: line.number, cells: line.cells, entries: entries))
                }
            }
            return document
        }

        private func cell(_ name: String, of line: CSVText.Line) -> String? {
            guard let index = columns[name], index < line.cells.count else { return nil }
            return line.cells[index]
        }

        private mutating func entry(of line: CSVText.Line) throws(ModelError) -> ImportedEntry {
            try CSVText.requireCells(of: line, columns: names)
            func place(_ column: String) -> String { "line \(line.number), column \(DocumentPath().appending(column))" }
            guard let kind = Kind.named(cell("kind", of: line) ?? "") else {
                throw ModelError(.invalid, field: place("kind"), "is no kind of entry")
            }
            let idText = cell("id", of: line) ?? ""
            guard idText.isEmpty || UUID(uuidString: idText) != nil else {
                throw ModelError(.invalid, field: place("id"), "must be the id of an entry, or empty for a new one")
            }
            let id = UUID(uuidString: idText) ?? newID(line)
            let before = known[id]
            guard before == nil || before?.kind == kind else {
                throw ModelError(.invalid, field: place("kind"), "is another kind than that of the entry with this id")
            }
            var content = before?.content ?? EntryContent(kind: kind)
            for path in kind.fields.leaves {
                guard let text = cell(path.name, of: line), let field = path.fields.last,
                    !CSVTable.isSame(text, content.body[path]?.text ?? "")
                else { continue }
                if case .list = field.type {
                    throw ModelError(.invalid, field: place(path.name), "is a list, which a table cannot change")
                }
                do throws(ModelError) {
                    let value = try text.isEmpty ? nil : FieldValue(parsing: CSVTable.withoutMark(text), as: field)
                    content.body[path] = value
                } catch {
                    throw ModelError(error.code, field: place(path.name), error.text)
                }
            }
            do throws(ModelError) {
                if let text = cell("date", of: line), !CSVTable.isSame(text, content.date?.description ?? "") {
                    content.date = try text.isEmpty ? nil : OccurredDate(parsing: CSVTable.withoutMark(text))
                }
            } catch {
                throw ModelError(error.code, field: place("date"), error.text)
            }
            if let text = cell("comment", of: line), !CSVTable.isSame(text, content.comment) {
                content.comment = CSVTable.withoutMark(text)
            }
            do throws(ModelError) {
                // Content that is in the journal is valid, also if today's rules are stricter.
                if content != before?.content { try content.validate(now: options.now) }
            } catch {
                throw ModelError(error.code, field: place(error.field ?? "kind"), error.text)
            }
            var entry = ImportedEntry(id: id, content: content, path: "line \(line.number)")
            entry.seen = cell("position", of: line).flatMap { UInt64($0) }
            return entry
        }

        private mutating func newID(_ line: CSVText.Line) -> UUID {
            let identity = line.cells.joined(separator: "\u{1F}")
            let ordinal = counts[identity, default: 0]
            counts[identity] = ordinal + 1
            return UUID(nameBased: options.namespace, "table\n\(identity)\n\(ordinal)")
        }
    }

    /// Whether a cell is what the table has for a value, as exported for programs or for spreadsheets, with any line breaks.
    private static func isSame(_ cell: String, _ value: String) -> Bool {
        let (cell, value) = (cell.withUnixLines, value.withUnixLines)
        return cell == value || cell == harmless(value)
    }

    /// Takes away the apostrophe that a table for spreadsheets has before what looks like a formula.
    private static func withoutMark(_ cell: String) -> String {
        guard cell.unicodeScalars.first == "'" else { return cell }
        let rest = String(cell.unicodeScalars.dropFirst())
        return harmless(rest) == cell ? rest : cell
    }
}
