/// The number of a microchip, as ISO 11784 describes it.
///
/// Fifteen digits: the code of a country (ISO 3166) or of a manufacturer (900–998), then twelve digits for one animal,
/// which a chip stores in 38 bits. There is no check digit that people see. Older chips have other numbers, so that an
/// unusual number is no error.
package enum MicrochipNumber {
    /// A reason why a number is unusual.
    package enum Doubt: Hashable, Sendable {
        case notDigits
        case length(Int)
        /// The first three digits name neither a country nor a manufacturer.
        case unknownCode
        /// 999 is for tests of readers.
        case testCode
        /// The last twelve digits are more than a chip can hold.
        case tooLarge

        package var text: String {
            switch self {
            case .notDigits: "a microchip number has digits alone"
            case .length(let count): "a microchip number has 15 digits, and this one \(count)"
            case .unknownCode: "the first three digits of the microchip number name no country and no manufacturer"
            case .testCode: "microchip numbers that begin with 999 are for tests"
            case .tooLarge: "the last twelve digits of the microchip number are more than a chip can hold"
            }
        }
    }

    /// The largest number of an animal: 38 bits.
    private static let largest = (1 << 38) - 1

    /// Returns the reason why a number is unusual; nil if there is none.
    ///
    /// Spaces, hyphens and dots do not count.
    package static func doubt(about text: String) -> Doubt? {
        let plain = text.filter { !$0.isWhitespace && $0 != "-" && $0 != "." }
        guard !plain.isEmpty else { return nil }
        guard plain.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return .notDigits }
        guard plain.utf8.count == 15 else { return .length(plain.utf8.count) }
        guard let code = Int(plain.prefix(3)), let number = Int(plain.dropFirst(3)) else { return .notDigits }
        if code == 999 { return .testCode }
        // Codes of countries have three digits below 900; 000 names none.
        if code == 0 { return .unknownCode }
        return number > largest ? .tooLarge : nil
    }
}
