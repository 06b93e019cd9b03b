internal import Crypto
package import FoundationEssentials
package import HealthModel

/// An export of Apple Health, read from `export.zip` or `export.xml`.
///
/// The file is read in parts, and only its summaries are kept: an export of several gigabytes needs as much memory as one of
/// a few megabytes with the same days.
package struct AppleHealthExport {
    package private(set) var report: AppleHealthReport
    /// The characteristics of the person in the export.
    package let profile: RecordProfile
    /// The SHA-256 of the document `export.xml`, in hex.
    package let digest: String

    /// The files with clinical records in FHIR R4, by the name of the hospital or practice that they come from.
    package private(set) var clinicalRecords: [(source: String, files: [FHIRLines])] = []

    private let reader: AppleHealthReader
    /// In the order in which they become entries.
    private let keys: [AppleHealthKey]

    private static let root = "HealthData"

    /// Reads a file; `zoneNamed` returns the time zone with an IANA name.
    ///
    /// `types` are further types to take, and `raw` those whose values each become an entry.
    package init(
        _ path: String,
        types: [String] = [],
        raw: [String] = [],
        zoneNamed: @escaping (String) -> TimeZone?
    ) throws(ModelError) {
        try self.init(ReadableFile(path), AppleHealthTypes(more: types, raw: raw), zoneNamed: zoneNamed)
    }

    /// Reads the bytes of a file.
    package init(_ bytes: [UInt8], zoneNamed: @escaping (String) -> TimeZone?) throws(ModelError) {
        try self.init(ReadableFile(bytes), AppleHealthTypes(), zoneNamed: zoneNamed)
    }

    private init(
        _ file: ReadableFile,
        _ types: AppleHealthTypes,
        zoneNamed: @escaping (String) -> TimeZone?
    ) throws(ModelError) {
        let archive = try ZipFile.isZip(file) ? ZipFile(file) : nil
        var source: any ByteSource = try archive.map(Self.document(in:)) ?? FileSource(file, 0..<file.size)
        let reader = AppleHealthReader(types, zoneNamed: zoneNamed)
        let stream = try XMLStream(root: Self.root, reader)
        var hash = SHA256()
        var isFirst = true
        while true {
            let part = try source.next()
            if part.isEmpty { break }
            if isFirst, !Self.isExport(part) {
                throw ModelError(.invalid, "is no export of Apple Health: it has no element \(Self.root)")
            }
            isFirst = false
            hash.update(data: part)
            try stream.add(part)
        }
        try stream.finish()
        reader.addNights()
        guard reader.rawCount <= AppleHealthReader.maximumRaw else {
            let maximum = AppleHealthReader.maximumRaw
            throw ModelError(.invalid, "has more than \(maximum) values of types of which each is to be an entry")
        }
        // A mistyped name would otherwise look like an export without such values.
        let taken = Set(reader.days.keys.map { types[$0.type].name })
        if let lacking = types.asked.subtracting(taken).min() {
            throw ModelError(.invalid, "contains no value of the type \(lacking)")
        }
        self.reader = reader
        report = reader.report
        report.replacedCharacters = stream.replacedCharacters
        report.skippedLines = stream.skippedLines
        profile = reader.profile
        digest = hash.finalize().map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        keys = reader.days.keys.sorted()
        report.summaries = keys.count { reader.days[$0]?.samples.isEmpty ?? false }
        try readClinicalRecords(archive)
    }

    /// The maximum number of bytes of all clinical records.
    private static let maximumClinicalBytes = 256 << 20

    /// Reads the files with clinical records; of several versions of one resource, only the latest is kept.
    private mutating func readClinicalRecords(_ archive: ZipFile?) throws(ModelError) {
        let members = Dictionary((archive?.members ?? []).map { ($0.name.lastPathComponent, $0) }) { first, _ in first }
        var versions: [ClinicalResource: (updated: Instant?, file: FHIRLines)] = [:]
        var paths: Set<String> = []
        var left = Self.maximumClinicalBytes
        for file in reader.clinicalFiles where paths.insert(file.path).inserted {
            guard let archive, let member = members[file.path.lastPathComponent], member.name.hasSuffix(file.path),
                member.size <= UInt64(left)
            else {
                report.notTaken["ClinicalRecord without its file", default: 0] += 1
                continue
            }
            var source = try archive.open(member)
            var bytes: [UInt8] = []
            while case let part = try source.next(), !part.isEmpty { bytes += part }
            left -= bytes.count
            guard let resource = try? JSONReader.read(bytes), case .string(let type)? = resource["resourceType"] else {
                report.invalid += 1
                continue
            }
            // The record has its own description of the person, and a hospital's may be of another one, such as a child.
            guard type != "Patient" else {
                report.notTaken["ClinicalRecord Patient", default: 0] += 1
                continue
            }
            let id = if case .string(let id)? = resource["id"] { id } else { file.path }
            var updated = file.received
            if case .string(let text)? = resource["meta"]?["lastUpdated"] { updated = try? Instant(parsing: text) }
            let key = ClinicalResource(source: file.source, type: type, id: id)
            if let held = versions[key], let time = held.updated, updated.map({ $0 <= time }) ?? true { continue }
            versions[key] = (updated, FHIRLines(name: member.name.lastPathComponent, bytes: bytes))
        }
        let files = Dictionary(grouping: versions) { $0.key.source }
        clinicalRecords = files.sorted { $0.key < $1.key }
            .map { source, versions in (source, versions.map(\.value.file).sorted { $0.name < $1.name }) }
    }

    /// What tells the resources of hospitals apart.
    private struct ClinicalResource: Hashable {
        let source: String
        let type: String
        let id: String
    }

    /// The document of an archive: its name depends on the language of the phone.
    private static func document(in archive: ZipFile) throws(ModelError) -> any ByteSource {
        let documents = archive.members.filter { $0.name.hasSuffix(".xml") }.sorted { $0.size > $1.size }
        for member in documents {
            var source = try archive.open(member)
            if isExport(try source.next()) { return try archive.open(member) }
        }
        throw ModelError(.invalid, "contains no export of Apple Health")
    }

    /// Whether the beginning of a document is that of an export, and not of its clinical documents.
    private static func isExport(_ part: [UInt8]) -> Bool {
        let text = String(decoding: part.prefix(64 << 10), as: UTF8.self)
        return text.contains("<\(root)") || text.contains("<!DOCTYPE \(root)")
    }

    // MARK: - Entries

    /// An upper bound on the number of entries, for showing progress.
    package var entryCount: Int {
        keys.reduce(reader.workouts.count) { $0 + max(1, reader.days[$1]?.samples.count ?? 0) }
    }

    /// Calls `body` with the entries, at most `length` at a time.
    ///
    /// Returns the number of entries that were left out as invalid, such as those with a date in the future.
    @discardableResult
    package func forEachPart(
        _ length: Int,
        _ namespace: UUID,
        now: Instant,
        _ body: ([ImportedEntry]) async throws -> Void
    ) async throws -> Int {
        var part: [ImportedEntry] = []
        var refused = 0
        func add(_ entry: ImportedEntry) async throws {
            guard (try? entry.content.validate(now: now)) != nil else {
                refused += 1
                return
            }
            part.append(entry)
            if part.count == length {
                try await body(part)
                part = []
            }
        }
        for key in keys {
            guard let day = reader.days[key] else { continue }
            for entry in entries(of: day, key, namespace) { try await add(entry) }
        }
        for workout in reader.workouts { try await add(entry(of: workout, namespace)) }
        if !part.isEmpty { try await body(part) }
        return refused
    }

    private func entries(of day: AppleHealthDay, _ key: AppleHealthKey, _ namespace: UUID) -> [ImportedEntry] {
        let type = reader.types[key.type]
        guard !day.samples.isEmpty else { return [summary(of: day, key, type, namespace)] }
        switch type.rule {
        case .weight: return day.samples.map { weight($0, key, type, namespace) }
        case .systolic, .diastolic:
            let isSystolic = type.rule == .systolic
            let name = isSystolic ? "BloodPressureDiastolic" : "BloodPressureSystolic"
            let other = reader.types.index(of: name).flatMap { reader.days[key.with(type: $0)] }
            // The pairs cannot be made if one half was summarised, so both are summarised.
            if let other, other.samples.isEmpty { return [summary(of: day, key, type, namespace)] }
            let (paired, single) = Self.pairs(day.samples, other?.samples ?? [])
            // The pairs are made once, by their systolic values.
            let singles = single.map { pressure($0, [(isSystolic ? "Systolic" : "Diastolic", $0)], key, namespace) }
            if !isSystolic { return singles }
            return paired.map { pressure($0, [("Systolic", $0), ("Diastolic", $1)], key, namespace) } + singles
        default: return day.samples.map { measurement($0, key, type, namespace) }
        }
    }

    /// Pairs values with the others of the same start: the first with the first, the second with the second.
    private static func pairs(
        _ values: [AppleHealthDay.Sample],
        _ others: [AppleHealthDay.Sample]
    ) -> (paired: [(AppleHealthDay.Sample, AppleHealthDay.Sample)], single: [AppleHealthDay.Sample]) {
        var left = Dictionary(grouping: others, by: \.start)
        var (paired, single) = ([(AppleHealthDay.Sample, AppleHealthDay.Sample)](), [AppleHealthDay.Sample]())
        for value in values {
            if left[value.start]?.isEmpty ?? true {
                single.append(value)
            } else if let other = left[value.start]?.removeFirst() {
                paired.append((value, other))
            }
        }
        return (paired, single)
    }

    private func id(_ sample: AppleHealthDay.Sample, _ type: String, _ source: String, _ namespace: UUID) -> UUID {
        let parts = [
            "apple", type, "\(sample.start)", "\(sample.end)", sample.value, reader.units[sample.unit], source,
        ]
        return UUID(nameBased: namespace, parts.joined(separator: "\n"))
    }

    private func content(
        _ kind: Kind,
        at sample: AppleHealthDay.Sample,
        original: [(name: String, text: String)] = []
    ) -> EntryContent {
        var content = EntryContent(kind: kind)
        content.date = .instant(sample.start)
        var extra = original
        if sample.zone != 0 { extra.append(("zone", reader.zones[sample.zone])) }
        content.extra = extra.map { Extra(name: "$apple.\($0.name)", json: JSONWriter.text(.string($0.text))) }
        return content
    }

    private func weight(
        _ sample: AppleHealthDay.Sample,
        _ key: AppleHealthKey,
        _ type: AppleHealthType,
        _ namespace: UUID
    ) -> ImportedEntry {
        let source = reader.sources[key.source]
        var (value, unit) = (sample.value, reader.units[sample.unit])
        var original: [(String, String)] = []
        // A stone has 14 pounds.
        if unit == "st",
            let pounds = (try? ExactDecimal(parsing: value))?.multiplied(by: ExactDecimal(coefficient: 14, scale: 0))
        {
            original = [("value", "\(value) st")]
            (value, unit) = (pounds.description, "lb")
        }
        var content = content(Weight.kind, at: sample, original: original)
        content.body[Weight.value] = (try? ExactDecimal(parsing: value)).map { .decimal($0) }
        content.body[Weight.unit] = .text(unit)
        return ImportedEntry(id: id(sample, type.name, source, namespace), content: content, path: type.name)
    }

    private func measurement(
        _ sample: AppleHealthDay.Sample,
        _ key: AppleHealthKey,
        _ type: AppleHealthType,
        _ namespace: UUID
    ) -> ImportedEntry {
        let source = reader.sources[key.source]
        let unit = AppleHealthType.unit(reader.units[sample.unit])
        var value = sample.value
        var original: [(String, String)] = []
        if type.isShare, unit == "%",
            let percent = (try? ExactDecimal(parsing: value))?.multiplied(by: ExactDecimal(coefficient: 100, scale: 0))
        {
            original = [("value", value)]
            value = percent.withoutTrailingZeros.description
        }
        var content = content(MeasuredValue.kind, at: sample, original: original)
        content.body[MeasuredValue.name] = .text(type.label)
        content.body[MeasuredValue.value] = .text(value)
        content.body[MeasuredValue.unit] = unit.isEmpty ? nil : .text(unit)
        if sample.end > sample.start { content.body[MeasuredValue.until] = .instant(sample.end) }
        content.body[MeasuredValue.device] = source.isEmpty ? nil : .text(source)
        return ImportedEntry(id: id(sample, type.name, source, namespace), content: content, path: type.name)
    }

    /// The measurement of the halves of a blood pressure that are there, at the time of one of them.
    private func pressure(
        _ sample: AppleHealthDay.Sample,
        _ halves: [(name: String, sample: AppleHealthDay.Sample)],
        _ key: AppleHealthKey,
        _ namespace: UUID
    ) -> ImportedEntry {
        let source = reader.sources[key.source]
        var content = content(MeasuredValue.kind, at: sample)
        content.body[MeasuredValue.name] = .text("Blood pressure")
        content.body[MeasuredValue.parts] = .list(
            halves.map { half in
                var part = FieldValues()
                part[MeasuredValue.part] = .text(half.name)
                part[MeasuredValue.partValue] = .text(half.sample.value)
                part[MeasuredValue.partUnit] = .text(reader.units[half.sample.unit])
                return .group(part)
            }
        )
        content.body[MeasuredValue.device] = source.isEmpty ? nil : .text(source)
        let values = halves.map { "\($0.name) \($0.sample.value)" }.joined(separator: "/")
        let id = id(sample, "BloodPressure \(values)", source, namespace)
        return ImportedEntry(id: id, content: content, path: "BloodPressure")
    }

    private func summary(
        of day: AppleHealthDay,
        _ key: AppleHealthKey,
        _ type: AppleHealthType,
        _ namespace: UUID
    ) -> ImportedEntry {
        let source = reader.sources[key.source]
        let factor = type.isShare && reader.units[day.unit] == "%" ? 100.0 : 1
        var content = EntryContent(kind: MeasuredValue.kind)
        content.date = .day(key.day)
        content.body[MeasuredValue.name] = .text(type.rule == .weight ? "Body weight" : type.label)
        let isSum = type.rule == .sum || type.rule == .duration
        content.body[MeasuredValue.value] = .text(Self.text((isSum ? day.sum : day.sum / Double(day.count)) * factor))
        if !isSum {
            content.body[MeasuredValue.minimum] = .text(Self.text(day.minimum * factor))
            content.body[MeasuredValue.maximum] = .text(Self.text(day.maximum * factor))
        }
        let unit = AppleHealthType.unit(reader.units[day.unit])
        content.body[MeasuredValue.unit] = unit.isEmpty ? nil : .text(unit)
        // The stages of a night are no values.
        if type.rule != .duration { content.body[MeasuredValue.count] = .integer(Int64(day.count)) }
        content.body[MeasuredValue.device] = source.isEmpty ? nil : .text(source)
        let id = UUID(nameBased: namespace, "apple-day\n\(type.name)\n\(reader.units[day.unit])\n\(key.day)\n\(source)")
        return ImportedEntry(id: id, content: content, path: type.name)
    }

    private func entry(of workout: AppleHealthReader.Workout, _ namespace: UUID) -> ImportedEntry {
        var content = EntryContent(kind: MeasuredValue.kind)
        content.date = .instant(workout.start)
        content.body[MeasuredValue.name] = .text("Workout: \(workout.activity)")
        content.body[MeasuredValue.value] = workout.duration.map { .text($0) }
        content.body[MeasuredValue.unit] = workout.durationUnit.map { .text($0) }
        if workout.end > workout.start { content.body[MeasuredValue.until] = .instant(workout.end) }
        content.body[MeasuredValue.parts] = .list(
            workout.parts.map { name, value, unit in
                var part = FieldValues()
                part[MeasuredValue.part] = .text(name)
                part[MeasuredValue.partValue] = .text(value)
                part[MeasuredValue.partUnit] = unit.map { .text(AppleHealthType.unit($0)) }
                return .group(part)
            }
        )
        content.body[MeasuredValue.device] = workout.source.isEmpty ? nil : .text(workout.source)
        let name = "apple-workout\n\(workout.activity)\n\(workout.start)\n\(workout.end)\n\(workout.source)"
        return ImportedEntry(id: UUID(nameBased: namespace, name), content: content, path: "Workout")
    }

    /// A computed number with at most two decimals.
    private static func text(_ number: Double) -> String {
        let rounded = (number * 100).rounded() / 100
        let text = "\(rounded)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}

extension String {
    /// What follows the last slash.
    fileprivate var lastPathComponent: String { split(separator: "/").last.map(String.init) ?? "" }
}
