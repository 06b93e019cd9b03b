import FoundationEssentials

/// The trace that a request belongs to (W3C Trace Context).
enum TraceContext {
    /// Returns the trace id, which becomes the events' correlation id; nil if the header is invalid.
    static func correlation(of traceparent: String) -> UUID? {
        let parts = traceparent.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count >= 4, parts[0].count == 2, parts[0] != "ff", parts[2].count == 16, parts[1].count == 32,
            parts[1].contains(where: { $0 != "0" })
        else { return nil }
        let digits = parts[1]
        guard digits.allSatisfy({ $0.isHexDigit && !$0.isUppercase }) else { return nil }
        var text = ""
        for (index, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(index) { text.append("-") }
            text.append(digit)
        }
        return UUID(uuidString: text)
    }
}
