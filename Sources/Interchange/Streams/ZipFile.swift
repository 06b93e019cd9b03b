import HealthModel

/// The directory of a zip archive (PKWARE APPNOTE 6.3), also of one with more than 4 GiB (zip64).
struct ZipFile {
    struct Member {
        let name: String
        /// 0 for bytes as they are, 8 for deflated ones.
        let method: UInt16
        let crc: UInt32
        let compressedSize: UInt64
        let size: UInt64
        /// Of the header before the bytes.
        let offset: UInt64
        let isEncrypted: Bool
    }

    private let file: ReadableFile
    let members: [Member]

    private static let maximumMembers = 100_000
    private static let damaged = ModelError(.invalid, "the archive is damaged, or no zip archive")

    static func isZip(_ file: ReadableFile) throws(ModelError) -> Bool {
        try file.read(at: 0, count: 4) == [0x50, 0x4B, 0x03, 0x04]
    }

    init(_ file: ReadableFile) throws(ModelError) {
        self.file = file
        // The end record is followed by a comment of at most 65,535 bytes.
        let tailLength = min(file.size, 22 + 65_535)
        let tail = try file.read(at: file.size - tailLength, count: Int(tailLength))
        guard tail.count >= 22,
            let place = (0...tail.count - 22).reversed()
                .first(where: { tail.starts(with: [0x50, 0x4B, 5, 6], at: $0) })
        else { throw Self.damaged }
        var count = UInt64(tail.integer(at: place + 10, as: UInt16.self))
        var length = UInt64(tail.integer(at: place + 12, as: UInt32.self))
        var start = UInt64(tail.integer(at: place + 16, as: UInt32.self))
        if count == 0xFFFF || length == 0xFFFF_FFFF || start == 0xFFFF_FFFF, place >= 20,
            tail.starts(with: [0x50, 0x4B, 6, 7], at: place - 20)
        {
            let record = try file.read(at: tail.integer(at: place - 12, as: UInt64.self), count: 56)
            guard record.count == 56, record.starts(with: [0x50, 0x4B, 6, 6]) else { throw Self.damaged }
            count = record.integer(at: 32, as: UInt64.self)
            length = record.integer(at: 40, as: UInt64.self)
            start = record.integer(at: 48, as: UInt64.self)
        }
        guard count <= Self.maximumMembers, length <= 64 << 20, start <= file.size, length <= file.size - start else {
            throw Self.damaged
        }
        let directory = try file.read(at: start, count: Int(length))
        var members: [Member] = []
        var index = 0
        for _ in 0..<count {
            guard index + 46 <= directory.count, directory.starts(with: [0x50, 0x4B, 1, 2], at: index) else {
                throw Self.damaged
            }
            let nameLength = Int(directory.integer(at: index + 28, as: UInt16.self))
            let extraLength = Int(directory.integer(at: index + 30, as: UInt16.self))
            let commentLength = Int(directory.integer(at: index + 32, as: UInt16.self))
            let next = index + 46 + nameLength + extraLength + commentLength
            guard next <= directory.count else { throw Self.damaged }
            let nameEnd = index + 46 + nameLength
            members.append(
                Member(directory, at: index, nameEnd: nameEnd, extra: Array(directory[nameEnd..<nameEnd + extraLength]))
            )
            index = next
        }
        self.members = members
    }

    /// Returns the bytes of a member.
    func open(_ member: Member) throws(ModelError) -> any ByteSource {
        guard !member.isEncrypted else { throw ModelError(.invalid, "the archive is encrypted") }
        let header = try file.read(at: member.offset, count: 30)
        guard header.count == 30, header.starts(with: [0x50, 0x4B, 3, 4]) else { throw Self.damaged }
        let skipped =
            30 + UInt64(header.integer(at: 26, as: UInt16.self)) + UInt64(header.integer(at: 28, as: UInt16.self))
        let (start, overflows) = member.offset.addingReportingOverflow(skipped)
        guard !overflows, start <= file.size, member.compressedSize <= file.size - start else { throw Self.damaged }
        let source = FileSource(file, start..<start + member.compressedSize)
        switch member.method {
        case 0: return StoredSource(source, crc: member.crc)
        case 8: return try InflatedSource(source, crc: member.crc)
        default: throw ModelError(.invalid, "the archive is packed by a method that is not known here")
        }
    }
}

extension ZipFile.Member {
    fileprivate init(_ directory: [UInt8], at index: Int, nameEnd: Int, extra: [UInt8]) {
        name = String(decoding: directory[index + 46..<nameEnd], as: UTF8.self)
        isEncrypted = directory.integer(at: index + 8, as: UInt16.self) & 1 != 0
        method = directory.integer(at: index + 10, as: UInt16.self)
        crc = directory.integer(at: index + 16, as: UInt32.self)
        var compressedSize = UInt64(directory.integer(at: index + 20, as: UInt32.self))
        var size = UInt64(directory.integer(at: index + 24, as: UInt32.self))
        var offset = UInt64(directory.integer(at: index + 42, as: UInt32.self))
        // The extra field of zip64 has those of these that do not fit, in this order.
        var place = 0
        while place + 4 <= extra.count {
            let length = Int(extra.integer(at: place + 2, as: UInt16.self))
            if extra.integer(at: place, as: UInt16.self) == 1 {
                var value = place + 4
                func take(_ number: inout UInt64) {
                    guard number == 0xFFFF_FFFF, value + 8 <= min(extra.count, place + 4 + length) else { return }
                    number = extra.integer(at: value, as: UInt64.self)
                    value += 8
                }
                take(&size)
                take(&compressedSize)
                take(&offset)
            }
            place += 4 + length
        }
        (self.compressedSize, self.size, self.offset) = (compressedSize, size, offset)
    }
}

extension [UInt8] {
    fileprivate func starts(with bytes: [UInt8], at index: Int) -> Bool {
        index + bytes.count <= count && self[index..<index + bytes.count].elementsEqual(bytes)
    }

    /// Reads a number in little-endian order; all its bytes must exist.
    fileprivate func integer<Number: FixedWidthInteger>(at index: Int, as type: Number.Type) -> Number {
        (0..<Number.bitWidth / 8).reduce(0) { $0 | Number(self[index + $1]) << (8 * $1) }
    }
}
