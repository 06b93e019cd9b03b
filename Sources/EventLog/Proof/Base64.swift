internal import FoundationEssentials
internal import LMDB

/// Base64 of RFC 4648, section 4, in its canonical form.
enum Base64 {
    static func text(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString()
    }

    /// Returns the bytes, or nil if the text is not exactly their canonical form.
    ///
    /// If other forms were accepted, a changed bit could remain undetected.
    static func bytes(_ text: some Collection<UInt8>) -> [UInt8]? {
        guard let data = Data(base64Encoded: Data(text)), data.base64EncodedData().elementsEqual(text) else {
            return nil
        }
        return [UInt8](data)
    }
}

extension MerkleHash {
    /// Decodes a hash in base64, as in checkpoints and proofs.
    init?(base64 text: some Collection<UInt8>) {
        guard text.count == 44, let bytes = Base64.bytes(text), bytes.count == MerkleHash.length else { return nil }
        self.init(bytes.raw)
    }

    /// The hash as 64 hexadecimal digits.
    package var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// Decodes a hash of 64 hexadecimal digits.
    package init?(hexadecimal text: String) {
        let digits = Array(text.utf8)
        guard digits.count == 2 * MerkleHash.length else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[index].hexadecimalValue, let low = digits[index + 1].hexadecimalValue else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        self.init(bytes.raw)
    }

    /// Creates a hash of 32 bytes; nil for any other number of bytes.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == MerkleHash.length else { return nil }
        self.init(bytes.raw)
    }

    package var base64: String { Base64.text(bytes) }
}

extension UInt8 {
    var hexadecimalValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
