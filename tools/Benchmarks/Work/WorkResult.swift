import Foundation

/// The result of a workload, printed as one line.
public struct WorkResult: Sendable {
    private var fields: [String: Value]

    private enum Value: Encodable, Sendable {
        case text(String)
        case whole(Int)
        case number(Double)

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .text(let text): try container.encode(text)
            case .whole(let whole): try container.encode(whole)
            case .number(let number): try container.encode(number)
            }
        }
    }

    init(_ work: String, events: Int, in duration: Duration) {
        fields = [
            "system": .text("healthjournal"), "work": .text(work), "events": .whole(events),
            "seconds": .number(duration.seconds),
        ]
    }

    func with(_ name: String, _ whole: Int) -> WorkResult { with(name, .whole(whole)) }
    func with(_ name: String, _ number: Double) -> WorkResult { with(name, .number(number)) }

    private func with(_ name: String, _ value: Value) -> WorkResult {
        var copy = self
        copy.fields[name] = value
        return copy
    }

    /// The result as one line of JSON.
    public var line: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys]
            return String(decoding: try encoder.encode(fields), as: UTF8.self)
        }
    }
}

extension Duration {
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
    var microseconds: Double { seconds * 1e6 }
}

extension [Duration] {
    /// Returns the duration that the given share of all durations does not exceed; the array need not be sorted.
    func quantile(_ share: Double) -> Duration {
        isEmpty ? .zero : sorted()[Swift.min(count - 1, Int(Double(count) * share))]
    }
}
