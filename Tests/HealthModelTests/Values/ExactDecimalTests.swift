import TestSupport
import Testing

@testable import HealthModel

@Suite("Exact decimals")
struct ExactDecimalTests {
    @Test(
        "A number is parsed with all of its decimal places and written without an exponent",
        arguments: [
            ("75.50", "75.50"), ("0", "0"), ("-0", "0"), ("-3", "-3"), ("-0.05", "-0.05"), ("007.5", "7.5"),
            ("1e3", "1000"), ("1.5E+2", "150"), ("7.55e1", "75.5"), ("25e-3", "0.025"), ("0e99", "0"),
            ("999999999999999999", "999999999999999999"), ("-99999999999999999.9", "-99999999999999999.9"),
            ("0.00000000000000000000000001", "0.00000000000000000000000001"),
        ]
    )
    func parses(text: String, written: String) throws {
        #expect(try ExactDecimal(parsing: text).description == written)
    }

    @Test(
        "Text that is not a number, or has too many digits, is refused",
        arguments: [
            "", "-", ".", "5.", ".5", "+5", "NaN", "inf", "Infinity", "1,5", "1 000", "0x10", "1e", "1e+", "e5", "--1",
            "1.2.3",
            "1000000000000000000", "1234567890123456789", "9999999999999999999999", "1e18", "1e400", "1e-400",
            "9e999999999999999999999", "0.0000000000000000000000000000001", "٣", "5kg", " 5", "0e-400",
            String(repeating: "0", count: 65),
        ]
    )
    func refusesInvalidNumbers(text: String) {
        #expect(refusal { try ExactDecimal(parsing: text) }?.code == .invalid)
    }

    @Test(
        "An amount is read exactly, also as a fraction",
        arguments: [
            ("1/2", "0.5"), ("½", "0.5"), ("1½", "1.5"), ("1 1/2", "1.5"), ("2 ½", "2.5"), ("3/4", "0.75"),
            ("1/8", "0.125"),
            ("1/3", "1/3"), ("⅔", "2/3"), ("4/3", "1 1/3"), ("1 1/3", "1 1/3"), ("2/6", "1/3"), ("1/30", "1/30"),
            ("6/3", "2"), ("1⁄3", "1/3"), ("0/3", "0"), ("-1/3", "-1/3"), ("0.50", "0.50"), ("7.5", "7.5"),
            ("1/99", "1/99"),
        ]
    )
    func readsAmounts(text: String, written: String) throws {
        let amount = try ExactDecimal(parsingAmount: text)
        #expect(amount.description == written)
        #expect(try ExactDecimal(parsingAmount: amount.description) == amount)
        #expect(try ExactDecimal(parsingAmount: amount.quotientText) == amount)
    }

    @Test(
        "Text that is no exact amount is refused",
        arguments: [
            "abc", "", "1/0", "1/", "/2", "1/2/3", "1.5/2", "1/2.5", "½½", "1 3/2", "1 2 1/2", "1/2 tablet", "7,5",
            "1,5/2", "+1/2",
            "1/101", "1/1000003", "one", "٣/٤", "1 /2", "9999999999/3",
        ]
    )
    func refusesOtherAmounts(text: String) {
        #expect(refusal { try ExactDecimal(parsingAmount: text) }?.code == .invalid)
        // Other numbers are no fractions.
        #expect(refusal { try ExactDecimal(parsing: "1/2") }?.code == .invalid)
    }

    @Test(
        "An amount that was stored in words is read if it is a number, and kept otherwise",
        arguments: [
            ("1/2", "0.5"), ("7,5", "7.5"), ("1,25", "1.25"), ("1,500", nil), ("abc", nil), ("one", nil), ("0", nil),
            ("-1", nil),
        ] as [(String, String?)]
    )
    func readsStoredAmounts(text: String, written: String?) {
        #expect(ExactDecimal(storedAmount: text)?.description == written)
    }

    @Test("Fractions are compared, hashed, added and multiplied by value, as by cross multiplication")
    func fractions() throws {
        try checkProperty("fractions", times: 5_000) { random, comment in
            func one() -> (value: ExactDecimal, above: Int128, below: Int128) {
                let (above, below) = (Int128(random.int(-400...400)), Int128(random.int(1...99)))
                return (ExactDecimal(above, over: below) ?? .zero, above, below)
            }
            let (left, right) = (one(), one())
            let (first, second) = (left.above * right.below, right.above * left.below)
            #expect((left.value < right.value) == (first < second), comment)
            #expect((left.value == right.value) == (first == second), comment)
            if left.value == right.value { #expect(left.value.hashValue == right.value.hashValue, comment) }
            let below = left.below * right.below
            #expect(left.value.adding(right.value) == ExactDecimal(first + second, over: below), comment)
            #expect(
                left.value.multiplied(by: right.value) == ExactDecimal(left.above * right.above, over: below),
                comment
            )
            #expect(left.value.adding(-left.value) == .zero, comment)
            #expect(left.value.isStorable, comment)
            let read = try ExactDecimal(parsingAmount: left.value.description)
            #expect(read == left.value, comment)
        }
    }

    @Test("A random decimal is parsed as it was written")
    func roundTrip() throws {
        try checkProperty("decimals round trip", times: 5_000) { random, comment in
            let decimal = random.decimal()
            let read = try ExactDecimal(parsing: decimal.description)
            #expect(read.coefficient == decimal.coefficient && read.scale == decimal.scale, comment)
        }
    }

    @Test("Decimals are compared, hashed and added by value, as by a reference implementation")
    func comparesAndAddsByValue() throws {
        try checkProperty("decimal arithmetic", times: 5_000) { random, comment in
            let left = random.decimal()
            let right = random.bool() ? random.decimal() : left.withoutTrailingZeros
            // Values with up to 18 digits and up to 20 decimal places fit into the 38 digits of the reference.
            let reference = (Self.reference(left), Self.reference(right))
            #expect((left < right) == (reference.0 < reference.1), comment)
            #expect((left == right) == (reference.0 == reference.1), comment)
            if left == right { #expect(left.hashValue == right.hashValue, comment) }
            if let sum = left.adding(right) {
                #expect(Self.reference(sum) == reference.0 + reference.1, comment)
                #expect(sum == right.adding(left), comment)
            }
            #expect(left.adding(-left) == .zero, comment)
        }
    }

    /// Returns the value with 20 decimal places, which is the most that the generator produces.
    private static func reference(_ decimal: ExactDecimal) -> StaticBigInt38 {
        StaticBigInt38(decimal)
    }

    @Test("A sum with more than 18 digits has no result, and extreme scales are compared correctly")
    func limitsSum() throws {
        let most = try ExactDecimal(parsing: "999999999999999999")
        #expect(most.adding(try ExactDecimal(parsing: "1")) == nil)
        #expect(most.adding(try ExactDecimal(parsing: "0.1")) == nil)
        #expect(most.adding(try ExactDecimal(parsing: "0.0")) == most)
        #expect(try ExactDecimal(parsing: "0.10").adding(ExactDecimal(parsing: "0.2"))?.description == "0.30")
        let extreme = ExactDecimal(coefficient: .min, scale: 255)
        #expect(extreme < .zero)
        #expect(extreme > ExactDecimal(coefficient: .min, scale: 0))
        #expect((-extreme).scale == 255)
    }
}

/// A number of at most 38 digits, stored as its whole part and its fraction of 20 decimal places.
private struct StaticBigInt38: Hashable, Comparable {
    var whole: Int128
    var fraction: Int128

    static let unit: Int128 = 100_000_000_000_000_000_000

    init(_ decimal: ExactDecimal) {
        let power = (0..<decimal.scale).reduce(Int128(1)) { power, _ in power * 10 }
        let (quotient, remainder) = Int128(decimal.coefficient).quotientAndRemainder(dividingBy: power)
        self.init(whole: quotient, fraction: remainder * (Self.unit / power))
    }

    init(whole: Int128, fraction: Int128) {
        // The form is unique, because the fraction is never negative.
        let carry = fraction >= 0 ? fraction / Self.unit : -((-fraction + Self.unit - 1) / Self.unit)
        self.whole = whole + carry
        self.fraction = fraction - carry * Self.unit
    }

    static func + (left: Self, right: Self) -> Self {
        Self(whole: left.whole + right.whole, fraction: left.fraction + right.fraction)
    }

    static func < (left: Self, right: Self) -> Bool {
        (left.whole, left.fraction) < (right.whole, right.fraction)
    }
}
