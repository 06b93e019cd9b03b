import TestSupport
import Testing

extension SeededGenerator {
    mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }
    mutating func bool() -> Bool { Bool.random(using: &self) }

    mutating func pick<Element>(_ elements: [Element]) throws -> Element {
        try #require(elements.randomElement(using: &self))
    }
}

/// Checks a property repeatedly with random values.
func checkProperty(
    _ name: String,
    times: Int = 500,
    _ property: (inout SeededGenerator, Comment) throws -> Void
) throws {
    var random = SeededGenerator(name)
    for iteration in 0..<times {
        try property(&random, "\(name): HEALTHJOURNAL_SEED=\(random.seed), iteration \(iteration)")
    }
}
