/// Amounts that are no decimal numbers, such as a third of a tablet.
extension ExactDecimal {
    /// The greatest divisor of an amount: that of 1/99.
    package static let maximumDivisor: UInt32 = 99

    /// Whether it is a decimal number; 1/2 is one, and 1/3 is not.
    package var isDecimal: Bool { divisor == 1 }

    /// Parses an amount as a person writes it: `0.5`, `1/2`, `1 1/2`, `½` or `1½`.
    ///
    /// The value is exact: 1/3 stays a third. Throws an error for everything else, also for words.
    package init(parsingAmount text: String) throws(ModelError) {
        let malformed = ModelError(.invalid, "not an amount: write it as 1, 0.5, 1/2 or 1 1/2")
        guard text.utf8.count <= 64 else { throw malformed }
        let isNegative = text.hasPrefix("-")
        let (whole, fraction) = Self.parts(isNegative ? text.dropFirst() : text[...])
        guard let fraction else {
            do { try self.init(parsing: text) } catch { throw error.message.hasPrefix("not") ? malformed : error }
            return
        }
        let numbers = fraction.split(separator: "/", omittingEmptySubsequences: false).map(Self.count)
        guard numbers.count == 2, let above = numbers[0], let below = numbers[1], let whole = Self.count(whole ?? "0"),
            below > 0, whole == 0 || above < below
        else { throw malformed }
        let sign: Int128 = isNegative ? -1 : 1
        guard let value = ExactDecimal(sign * (whole * below + above), over: below),
            value.divisor <= Self.maximumDivisor
        else {
            throw ModelError(
                .invalid,
                "an amount must be counted exactly: write a fraction with a smaller divisor, or a decimal"
            )
        }
        self = value
    }

    /// Parses an amount that was stored in words, if it is a number or a fraction; nil for everything else.
    ///
    /// A comma is a decimal comma unless three digits follow it, which may be thousands.
    package init?(storedAmount text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let isDecimalComma = parts.count == 2 && parts[1].utf8.count != 3 && !text.contains(".")
        let plain = isDecimalComma ? parts.joined(separator: ".") : text
        guard let value = try? ExactDecimal(parsingAmount: plain), value > .zero else { return nil }
        self = value
    }

    /// Creates the quotient of two numbers in lowest terms; nil if it has too many digits.
    init?(_ dividend: Int128, over quotient: Int128, scale: UInt8 = 0) {
        guard quotient > 0 else { return nil }
        let common = dividend.greatestCommonDivisor(with: quotient)
        var (digits, divisor, scale) = (dividend / common, quotient / common, scale)
        // A tenth of ten halves is a half: what 2 and 5 divide is written in decimal places.
        for (prime, other) in [(2, 5), (5, 2)] as [(Int128, Int128)] {
            while divisor % prime == 0 {
                let (product, overflow) = digits.multipliedReportingOverflow(by: other)
                guard !overflow, scale < Self.maximumScale else { return nil }
                (digits, divisor, scale) = (product, divisor / prime, scale + 1)
            }
        }
        while scale > 0, digits % 10 == 0 { (digits, scale) = (digits / 10, scale - 1) }
        guard let number = ExactDecimal(digits: digits, scale: scale), let divisor = UInt32(exactly: divisor) else {
            return nil
        }
        self = number
        self.divisor = digits == 0 ? 1 : divisor
    }

    /// The value as a whole number and a proper fraction, such as `1 1/3`; for numbers that are no decimals.
    var fractionText: String {
        let (above, below) = quotient
        let (whole, rest) = above.magnitude.quotientAndRemainder(dividingBy: below.magnitude)
        let sign = coefficient < 0 ? "-" : ""
        return whole == 0 ? "\(sign)\(rest)/\(below)" : "\(sign)\(whole) \(rest)/\(below)"
    }

    /// The value as a quotient without a space, such as `4/3`.
    package var quotientText: String { "\(quotient.above)/\(quotient.below)" }

    private var quotient: (above: Int128, below: Int128) {
        // At most 30 decimal places and a small divisor, which fit.
        let power = (0..<scale).reduce(Int128(1)) { power, _ in power * 10 }
        let (above, below) = (Int128(coefficient), power.multipliedReportingOverflow(by: Int128(divisor)).partialValue)
        let common = above.greatestCommonDivisor(with: below)
        return (above / common, below / common)
    }

    /// Splits an amount into its whole number and its fraction, as `1/2`; no fraction for a number without one.
    private static func parts(_ text: Substring) -> (whole: String?, fraction: String?) {
        let text = String(text.map { $0 == "\u{2044}" || $0 == "\u{2215}" ? "/" : $0 })
        var (whole, fraction): (Substring, String)
        if let last = text.last, let written = signs[last] {
            (whole, fraction) = (text.dropLast(), written)
        } else {
            guard text.contains("/") else { return (nil, nil) }
            let words = text.split(maxSplits: 1, omittingEmptySubsequences: false) { spaces.contains($0) }
            (whole, fraction) = words.count == 2 ? (words[0], String(words[1])) : ("", text)
        }
        while let last = whole.last, spaces.contains(last) { whole.removeLast() }
        return (whole.isEmpty ? nil : String(whole), fraction)
    }

    /// Parses a whole number of at most nine digits, without a sign.
    private static func count(_ text: some StringProtocol) -> Int128? {
        guard (1...9).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int128(String(text))
    }

    private static let spaces: Set<Character> = [" ", "\u{A0}", "\u{2009}", "\u{202F}"]

    /// The characters for fractions.
    private static let signs: [Character: String] = [
        "½": "1/2", "⅓": "1/3", "⅔": "2/3", "¼": "1/4", "¾": "3/4", "⅕": "1/5", "⅖": "2/5", "⅗": "3/5", "⅘": "4/5",
        "⅙": "1/6", "⅚": "5/6", "⅐": "1/7", "⅛": "1/8", "⅜": "3/8", "⅝": "5/8", "⅞": "7/8", "⅑": "1/9", "⅒": "1/10",
    ]
}

extension Int128 {
    func greatestCommonDivisor(with other: Int128) -> Int128 {
        var (left, right) = (magnitude, other.magnitude)
        while right != 0 { (left, right) = (right, left % right) }
        return Int128(left)
    }
}
