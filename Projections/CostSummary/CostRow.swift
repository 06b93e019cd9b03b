internal import EventLog
internal import HealthModel
internal import LMDB
internal import ProjectionKit

/// The encoding of the view's rows, before they are sealed and after they are opened.
enum CostRow {
    static func bytes(of total: CostTotal) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(littleEndian: total.bucket.year)
        bytes.append(littleEndian: total.sum.whole)
        bytes.append(littleEndian: total.sum.fraction)
        bytes.append(total.sum.scale)
        bytes.append(littleEndian: Int64(total.count))
        for text in [total.bucket.currency, total.bucket.category, total.bucket.basis] {
            let utf8 = Array((text ?? "").utf8)
            bytes.append(littleEndian: UInt32(utf8.count))
            bytes += utf8
        }
        return bytes
    }

    static func total(from bytes: [UInt8]) throws(EventLogError) -> CostTotal {
        var reader = Reader(bytes: bytes)
        let year: Int64 = try reader.integer()
        let whole: Int128 = try reader.integer()
        let fraction: Int128 = try reader.integer()
        let scale: UInt8 = try reader.integer()
        let count: Int64 = try reader.integer()
        let texts = [try reader.text(), try reader.text(), try reader.text()]
        let bucket = CostBucket(year: year, currency: texts[0], category: texts[1], basis: texts[2] ?? Cost.item)
        return CostTotal(
            bucket: bucket,
            sum: ExactSum(whole: whole, fraction: fraction, scale: scale),
            count: Int(count)
        )
    }

    private struct Reader {
        let bytes: [UInt8]
        var offset = 0

        init(bytes: [UInt8]) {
            self.bytes = bytes
        }

        mutating func integer<Integer: FixedWidthInteger & BitwiseCopyable>() throws(EventLogError) -> Integer {
            let size = Integer.bitWidth / 8
            guard offset + size <= bytes.count else { throw .damagedRow }
            defer { offset += size }
            return bytes.raw.integer(at: offset)
        }

        mutating func text() throws(EventLogError) -> String? {
            let count = Int(try integer() as UInt32)
            guard offset + count <= bytes.count else { throw .damagedRow }
            defer { offset += count }
            return count == 0 ? nil : String(decoding: bytes[offset..<(offset + count)], as: UTF8.self)
        }
    }

}
