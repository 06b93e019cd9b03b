internal import FoundationEssentials
package import HealthModel

extension Reader {
    /// Says that a laboratory result is out of its range or was marked by the laboratory, with a shape beside the word; nil for
    /// a result that is neither.
    ///
    /// Where the laboratory and the range disagree, both are told.
    package func flag(of content: EntryContent) -> String? {
        let (found, sent) = (content.flagByRange, content.flagAsSent)
        guard let flag = sent ?? found else { return nil }
        let isSame = found == nil || sent == nil || found == sent || found == sent?.side
        if isSame { return flag == .normal ? nil : mark(flag) }
        return words["flagAsSent", found.map(mark) ?? "", choice(flag.rawValue)]
    }

    /// Returns the value of an entry as `text` writes it, with its flag; nil if there is none.
    func value(of content: EntryContent, _ text: (EntryContent) -> String?) -> String? {
        text(content).map { value in flag(of: content).map { "\(value) \($0)" } ?? value }
    }

    private func mark(_ flag: Blood.Flag) -> String {
        let shape =
            switch flag {
            case .low: "▼"
            case .veryLow: "▼▼"
            case .high: "▲"
            case .veryHigh: "▲▲"
            case .abnormal: "⚠"
            case .normal: "✓"
            }
        return "\(shape)\u{A0}\(choice(flag.rawValue))"
    }

    /// The reference of a result, such as `4.0–6.0 %`; nil without one.
    package func range(of content: EntryContent) -> String? {
        guard content.kind == Blood.kind else { return nil }
        let body = content.body
        let (low, high) = (body.decimal(Blood.low).map(number), body.decimal(Blood.high).map(number))
        let range: String? =
            switch (low, high) {
            case (let low?, let high?): "\(low)–\(high)"
            case (let low?, nil): "≥\u{A0}\(low)"
            case (nil, let high?): "≤\u{A0}\(high)"
            case (nil, nil): nil
            }
        let measured = range.map { range in body.text(Blood.unit).map { "\(range)\u{A0}\($0)" } ?? range }
        let parts = [measured, body.text(Blood.normal)].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}

extension Blood.Flag {
    /// Low or high, of what is very low or very high.
    fileprivate var side: Blood.Flag {
        switch self {
        case .veryLow: .low
        case .veryHigh: .high
        case .low, .high, .abnormal, .normal: self
        }
    }
}
