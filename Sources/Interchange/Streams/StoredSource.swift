import HealthModel

/// The bytes of a member of a zip archive that is not packed, with their checksum checked at the end.
struct StoredSource: ByteSource {
    private var source: FileSource
    private var crc = Checksum()
    private let expectedCRC: UInt32

    init(_ source: FileSource, crc: UInt32) { (self.source, expectedCRC) = (source, crc) }

    mutating func next() throws(ModelError) -> [UInt8] {
        let part = try source.next()
        crc.add(part[...])
        if part.isEmpty, crc.value != expectedCRC {
            throw ModelError(.invalid, "the archive is damaged: its checksum differs")
        }
        return part
    }
}
