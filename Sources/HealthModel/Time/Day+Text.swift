extension Day: CustomStringConvertible {
    /// Parses `YYYY-MM-DD`.
    package init(parsing text: String) throws(ModelError) {
        var reader = DigitReader(text)
        guard let parsed = reader.day(), reader.isAtEnd else {
            throw ModelError(.invalid, "not a date: write it as 2024-02-16")
        }
        self = try parsed.get()
    }

    /// The date as `YYYY-MM-DD`.
    package var description: String {
        let (year, month, day) = civil
        return "\(year.padded(to: 4))-\(month.padded(to: 2))-\(day.padded(to: 2))"
    }
}

extension FixedWidthInteger {
    /// Returns the number in decimal, padded with zeros to at least `width` digits.
    func padded(to width: Int) -> String {
        let digits = String(magnitude)
        return (self < 0 ? "-" : "") + String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
    }
}
