package import FoundationEssentials

extension UUID {
    /// The canonical text form of RFC 9562, in lowercase.
    ///
    /// Foundation's `uuidString` uses C's `vfprintf`, which takes longer than writing the rest of most output rows.
    package var text: String {
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for (index, byte) in bytes.enumerated() {
            if index == 4 || index == 6 || index == 8 || index == 10 { text.append(UInt8(ascii: "-")) }
            text.append(UUID.digit(byte >> 4))
            text.append(UUID.digit(byte & 0xF))
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The first characters of the text: for an id of version 7, the time at which it was made, in milliseconds.
    package var beginning: String { String(text.prefix(UUID.beginningLength)) }

    /// Returns how many characters tell some ids apart: the shortest sufficient number of whole groups of digits, from
    /// `beginningLength` on.
    package static func lengthOfBeginnings(_ ids: some Collection<UUID>) -> Int {
        let texts = Set(ids).map(\.text)
        return [beginningLength, 18, 23].first { length in Set(texts.map { $0.prefix(length) }).count == texts.count }
            ?? 36
    }
    package static let beginningLength = 13

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    /// The sixteen bytes in network order.
    package var bytes: [UInt8] {
        let (a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p) = uuid
        return [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p]
    }

    /// Creates an id from sixteen bytes; nil for any other number of bytes.
    package init?(bytes: some Collection<UInt8>) {
        let b = Array(bytes)
        guard b.count == 16 else { return nil }
        self.init(
            uuid: (b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15])
        )
    }
}
