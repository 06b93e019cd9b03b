import HealthModel

/// Writes a zip archive (PKWARE APPNOTE 6.3) from its start to its end, so that it can be sent while it is made.
///
/// All members have the same time, so that the same members give the same bytes.
struct ZipWriter {
    private struct Member {
        let name: String
        let crc: UInt32
        let compressedSize: UInt64
        let size: UInt64
        let offset: UInt64
    }

    private var members: [Member] = []
    private var offset: UInt64
    private let day: UInt16
    private let time: UInt16

    /// The largest number of 32 bits, which says that the number is in the extra field of zip64.
    private static let beyond = UInt64(UInt32.max)

    /// `start` is the number of bytes before the archive.
    init(at instant: Instant, start: UInt64 = 0) {
        offset = start
        let date = Day(of: instant)
        let seconds = instant.microseconds / 1_000_000 - Int64(date.daysSince1970) * 86_400
        // Years are counted from 1980, and seconds by twos.
        day = UInt16(clamping: min(max(date.year - 1980, 0), 127) << 9 | date.month << 5 | date.day)
        time = UInt16(clamping: (seconds / 3_600) << 11 | (seconds / 60 % 60) << 5 | seconds % 60 / 2)
    }

    /// Returns the bytes of a member whose content is complete; each is smaller than 4 GiB.
    mutating func add(_ name: String, _ content: DeflatedBytes) -> [UInt8] {
        content.finish()
        let member = Member(
            name: name,
            crc: content.crc,
            compressedSize: UInt64(content.output.count),
            size: content.size,
            offset: offset
        )
        precondition(member.size < Self.beyond && member.compressedSize < Self.beyond, "a member is too large")
        members.append(member)
        var bytes: [UInt8] = [0x50, 0x4B, 3, 4]
        bytes += numbers(20) + common(member) + numbers(UInt16(name.utf8.count), 0)
        bytes += Array(name.utf8) + content.output
        offset += UInt64(bytes.count)
        return bytes
    }

    /// Returns the directory, which is the end of the archive.
    func end() -> [UInt8] {
        var bytes: [UInt8] = []
        for member in members {
            let isFar = member.offset >= Self.beyond
            bytes += [0x50, 0x4B, 1, 2] + numbers(isFar ? 45 : 20, isFar ? 45 : 20) + common(member)
            // The name, the extra field, no comment, the first disk, no attributes.
            bytes += numbers(UInt16(member.name.utf8.count), isFar ? 12 : 0, 0, 0, 0) + number(UInt32(0))
            bytes += number(UInt32(min(member.offset, Self.beyond))) + Array(member.name.utf8)
            if isFar { bytes += numbers(1, 8) + number(member.offset) }
        }
        let (count, length) = (UInt64(members.count), UInt64(bytes.count))
        if count >= 0xFFFF || offset >= Self.beyond {
            let record = offset + length
            bytes += [0x50, 0x4B, 6, 6] + number(UInt64(44)) + numbers(45, 45) + number(UInt32(0)) + number(UInt32(0))
            bytes += number(count) + number(count) + number(length) + number(offset)
            bytes += [0x50, 0x4B, 6, 7] + number(UInt32(0)) + number(record) + number(UInt32(1))
        }
        let shown = UInt16(min(count, 0xFFFF))
        bytes += [0x50, 0x4B, 5, 6] + numbers(0, 0, shown, shown)
        return bytes + number(UInt32(length)) + number(UInt32(min(offset, Self.beyond))) + numbers(0)
    }

    /// The part that the header before a member and the directory have in common: a name in UTF-8, deflated bytes.
    private func common(_ member: Member) -> [UInt8] {
        numbers(0x0800, 8, time, day) + number(member.crc) + number(UInt32(member.compressedSize))
            + number(UInt32(member.size))
    }

    private func numbers(_ values: UInt16...) -> [UInt8] { values.flatMap { number($0) } }

    /// A number in little-endian order.
    private func number<Number: FixedWidthInteger>(_ value: Number) -> [UInt8] {
        (0..<Number.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
