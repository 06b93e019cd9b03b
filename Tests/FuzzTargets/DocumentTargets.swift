import Foundation
import HealthModel
import Interchange

extension FuzzTarget {
    /// Targets for documents and events of other programs.
    static let documentTargets = [
        FuzzTarget("json") { bytes in
            guard let value = try? JSONReader.read(bytes) else { return }
            let again = try? JSONReader.read(JSONWriter.bytes(value))
            require(again == value, "JSON that was read is written and read as the same")
        },
        FuzzTarget("purus-unix") { bytes in readPurus(bytes, .unix) },
        FuzzTarget("purus-reference") { bytes in readPurus(bytes, .reference) },
        FuzzTarget("native", readNative), FuzzTarget("fhir", readFHIR),
        FuzzTarget("vcard", readCards), FuzzTarget("zip", readArchive),
        FuzzTarget("apple") { bytes in _ = try? AppleHealthExport(bytes) { _ in nil } },
        FuzzTarget("csv", readCSV), FuzzTarget("csv-columns", readColumns), FuzzTarget("csv-table", readTable),
        FuzzTarget("csv-mapping") { bytes in _ = (try? JSONReader.read(bytes)).flatMap { try? CSVMapping($0) } },
        FuzzTarget("cloudevent") { bytes in
            _ = try? CloudEvent.read(bytes)
            _ = try? CloudEvent.readBatch(bytes)
            let halves = bytes.split(separator: 0, maxSplits: 8).map { String(decoding: $0, as: UTF8.self) }
            let headers = stride(from: 0, to: halves.count - 1, by: 2).map { (name: halves[$0], value: halves[$0 + 1]) }
            _ = try? CloudEvent.read(headers: headers, body: bytes)
        },
        FuzzTarget("text") { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            let shown = TerminalText.escaped(text)
            require(!shown.unicodeScalars.contains(where: TerminalText.isUnsafe), "what is shown steers no terminal")
            _ = TerminalText.width(shown)
            require(!HTML.escaped(text).contains("<"), "what is shown on a page is text")
            _ = try? AsOf(parsing: text)
            _ = try? Day(parsing: text)
            _ = try? Instant(parsing: text)
            if let decimal = try? ExactDecimal(parsing: text) {
                require(
                    (try? ExactDecimal(parsing: decimal.description)) == decimal,
                    "a number is written and read as the same"
                )
            }
        },
    ]

    private static func readNative(_ bytes: [UInt8]) {
        guard let records = try? NativeDocument.readAll(bytes, now: now) else { return }
        for record in records {
            guard let state = state(record) else { continue }
            let again = try? NativeDocument.read(JSONWriter.bytes(NativeDocument.write(state)), now: now)
            require(again?.id == record.id, "a record that was read is written and read as the same")
            require(ids(again?.entries ?? []) == ids(record.entries), "so are its entries")
        }
    }

    private static func readFHIR(_ bytes: [UInt8]) {
        let options = FHIROptions(now: now, namespaces: PurusNamespaces(records: namespace) { _ in namespace })
        guard let records = try? FHIRDocument.read(bytes, options: options) else { return }
        for record in records {
            guard let state = state(record), record.entries.allSatisfy({ $0.attachment == nil && $0.hasContent }) else {
                continue
            }
            let patient = state.entries.first { RecordFHIRWriter.isPatient($0.content) }
            let writer = RecordFHIRWriter(state, patientEntry: patient) { _ in nil }
            guard let opening = try? writer.patientItem(), let items = try? state.entries.flatMap(writer.items) else {
                preconditionFailure("a record that was read is written")
            }
            let bundle = JSONValue.object(
                writer.opening(asOf: state.created) + [.init("entry", .array([opening] + items))]
            )
            let again = try? FHIRDocument.read(JSONWriter.bytes(bundle), options: options)
            require(again?.count == 1, "a record that was written is read again")
            require(again?.first?.entries.count == items.count + (patient == nil ? 0 : 1), "so are its entries")
        }
    }

    /// Reads a file with a mapping that guesses how it is written, and with dates.
    private static func readCSV(_ bytes: [UInt8]) {
        let mapping: JSONValue = [
            "format": "healthjournal-csv/1", "date": ["columns": ["1"]], "header": false,
            "rows": [
                ["kind": "weight", "set": ["value": "{2}", "unit": "kg", "comment": "{3}"]],
                [
                    "if": "3", "kind": "measurement",
                    "set": ["name": "{3|unit}", "parts": [["name": "a", "value": "{3|number}"]]],
                ],
            ],
        ]
        guard let mapping = try? CSVMapping(mapping),
            let document = try? CSVDocument(bytes, as: mapping, options: csvOptions)
        else { return }
        let again = try? CSVDocument(bytes, as: mapping, options: csvOptions)
        require(document.entries == again?.entries ?? [], "the same file becomes the same entries")
        for entry in document.entries {
            require((try? entry.content.validate(now: now)) != nil, "what is read can be added")
        }
    }

    /// Reads the columns of a table: a date, a weight, a comment and measurements.
    private static func readColumns(_ bytes: [UInt8]) {
        guard let columns = try? CSVColumns(bytes) else { return }
        let first: [CSVColumns.Content] = [.date, .weight, .comment]
        let rest = repeatElement(CSVColumns.Content.measurement, count: max(0, columns.columns.count - first.count))
        guard let made = try? columns.mapping(first + rest, weightUnit: "kg"), let mapping = try? CSVMapping(made)
        else {
            preconditionFailure("what a person chooses is a mapping")
        }
        guard let document = try? CSVDocument(bytes, as: mapping, options: csvOptions) else { return }
        for entry in document.entries {
            require((try? entry.content.validate(now: now)) != nil, "what is read can be added")
        }
    }

    /// Reads an address book.
    private static func readCards(_ bytes: [UInt8]) {
        func read() -> [ImportedEntry]? {
            try? VCardDocument.read(bytes, as: Doctor.kind, known: [:], namespace: namespace, now: now).entries
        }
        guard let entries = read() else { return }
        require(read() == entries, "the same file becomes the same entries")
        require(ids(entries).count == entries.count, "each card has an entry of its own")
    }

    /// Reads an archive with a document of FHIR.
    private static func readArchive(_ bytes: [UInt8]) {
        let namespaces = PurusNamespaces(records: namespace) { _ in namespace }
        let options = FHIROptions(record: namespace, now: now, namespaces: namespaces)
        guard bytes.starts(with: [0x50, 0x4B, 3, 4]) else { return }
        _ = try? FHIRDocument.read(bytes, options: options)
    }

    /// Reads a table that a journal could have exported.
    private static func readTable(_ bytes: [UInt8]) {
        guard CSVTable.isTable(bytes), let document = try? CSVTable.read(bytes, known: [:], options: csvOptions),
            document.faultCount == 0, let state = (try? document.record(namespace)).flatMap(state)
        else { return }
        let known = Dictionary(state.entries.map { ($0.id, $0) }) { first, _ in first }
        let written = Array(CSVTable.write(state).utf8)
        guard let again = try? CSVTable.read(written, known: known, options: csvOptions) else {
            preconditionFailure("a table that was written is read")
        }
        require(again.entries.allSatisfy { known[$0.id]?.content == $0.content }, "nothing changes by it")
    }

    private static let csvOptions = CSVOptions(now: now, zone: .gmt, namespace: namespace) { _ in nil
    }

    private static func ids(_ entries: [ImportedEntry]) -> Set<UUID> { Set(entries.map(\.id)) }

    private static func readPurus(_ bytes: [UInt8], _ epoch: PurusOptions.Epoch) {
        let namespaces = PurusNamespaces(records: namespace) { _ in namespace }
        let options = PurusOptions(epoch: epoch, zone: .gmt, now: now, namespaces: namespaces)
        guard let record = try? PurusDocument.read(bytes, options: options) else { return }
        // A written document always has the Unix epoch, whatever the epoch of the original document.
        guard let state = state(record), record.entries.allSatisfy({ $0.attachment == nil }) else { return }
        let written = JSONWriter.bytes(PurusDocument.write(state, namespace: namespace))
        let ours = PurusOptions(epoch: .unix, zone: .gmt, now: now, namespaces: namespaces)
        let again = try? PurusDocument.read(written, options: ours)
        require(again?.id == record.id, "a record that was read is written and read as the same")
        require(again?.entries.count == record.entries.count, "so are its entries")
    }

    /// Returns the record as a journal would hold it after the import, or nil if two entries have the same id.
    ///
    /// No journal accepts two entries with the same id.
    private static func state(_ record: ImportedRecord) -> RecordState? {
        guard Set(record.entries.map(\.id)).count == record.entries.count else { return nil }
        let stamp = Stamp(position: 7, recordedAt: now, actor: namespace)
        var state = RecordState(id: record.id, profile: record.profile, owners: [namespace], created: stamp)
        state.entries = record.entries.map { entry in
            EntryState(id: entry.id, record: record.id, content: entry.content, added: stamp)
        }
        return state
    }

    /// 2026-03-01T12:00:00Z.
    private static let now = Instant(microseconds: 1_772_366_400_000_000)
    private static let namespace = UUID(uuid: (1, 2, 3, 4, 5, 6, 0x78, 8, 0x89, 10, 11, 12, 13, 14, 15, 16))
}
