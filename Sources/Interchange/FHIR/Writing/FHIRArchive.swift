package import HealthModel

/// A zip archive of resources in files named by their types, each resource on one line, as Bulk Data exports have them
/// (https://hl7.org/fhir/uv/bulkdata/export.html), with a `manifest.json`.
///
/// It is made while it is written: a type with many resources has several files.
package struct FHIRArchive {
    private struct File {
        var bytes = DeflatedBytes()
        var count = 0
    }

    private var zip: ZipWriter
    private let asOf: Stamp
    private let record: String
    private var open: [String: File] = [:]
    private var counts: [String: Int] = [:]
    private var written: [JSONValue] = []

    /// How many files are made at once; each has 256 KiB of zlib's memory.
    private static let maximumOpen = 32
    /// The length of the deflated bytes at which a file ends, and the size before.
    private static let maximumLength = 4 << 20
    private static let maximumSize: UInt64 = 1 << 30

    package init(of record: RecordState, asOf: Stamp) {
        zip = ZipWriter(at: asOf.recordedAt)
        self.asOf = asOf
        self.record = record.id.text
    }

    /// Adds a resource, and returns the bytes of the archive that are complete.
    package mutating func add(_ resource: JSONValue) -> [UInt8] {
        let type = if case .string(let type)? = resource["resourceType"] { type } else { "Basic" }
        var bytes: [UInt8] = []
        if open[type] == nil, open.count >= Self.maximumOpen { bytes += end(largest) }
        var file = open[type] ?? File()
        file.bytes.add(JSONWriter.bytes(resource, .compact) + [UInt8(ascii: "\n")])
        file.count += 1
        open[type] = file
        if file.bytes.output.count > Self.maximumLength || file.bytes.size > Self.maximumSize { bytes += end(type) }
        return bytes
    }

    /// Returns the rest of the archive.
    package mutating func end() -> [UInt8] {
        var bytes: [UInt8] = []
        for type in open.keys.sorted() { bytes += end(type) }
        let manifest: JSONValue = [
            "transactionTime": .time(asOf.recordedAt), "request": .string("urn:healthjournal:record:\(record)"),
            "requiresAccessToken": false, "output": .array(written), "error": [],
        ]
        let file = DeflatedBytes()
        file.add(JSONWriter.bytes(manifest, .pretty) + [UInt8(ascii: "\n")])
        return bytes + zip.add("manifest.json", file) + zip.end()
    }

    private var largest: String {
        open.max { ($0.value.bytes.size, $1.key) < ($1.value.bytes.size, $0.key) }?.key ?? ""
    }

    private mutating func end(_ type: String) -> [UInt8] {
        guard let file = open.removeValue(forKey: type) else { return [] }
        let number = counts[type, default: 0] + 1
        counts[type] = number
        let name = number == 1 ? "\(type).ndjson" : "\(type).\(number).ndjson"
        written.append(["type": .string(type), "url": .string(name), "count": .integer(file.count)])
        return zip.add(name, file.bytes)
    }
}
