import FoundationEssentials
import HealthModel

extension UUID {
    /// Parses an id in an address: complete, with hexadecimal digits in either case.
    ///
    /// Foundation parses UUIDs with C's `sscanf`, which takes longer than parsing the rest of an address.
    init?(inAddress text: String) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(16)
        var high: UInt8?
        for (place, character) in text.utf8.enumerated() {
            if [8, 13, 18, 23].contains(place) {
                guard character == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard place < 36, let digit = UUID.digit(character) else { return nil }
            if let first = high {
                bytes.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        self.init(bytes: bytes)
    }

    private static func digit(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
