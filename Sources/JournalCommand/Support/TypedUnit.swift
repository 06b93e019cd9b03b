import Foundation
import HealthModel

extension EntryContent {
    /// Completes a weight that was typed without its unit: asks for it on a terminal, and throws without one.
    ///
    /// Only a source that states no unit, such as an import, gives a weight of unknown unit; a person knows it.
    mutating func askUnitOfWeight(now: Instant) throws {
        guard kind == Weight.kind, let value = body.decimal(Weight.value), body.text(Weight.unit) == nil else { return }
        // Other errors are reported first.
        try validate(now: now)
        guard Terminal.isInteractive else { throw ModelError.weightWithoutUnit }
        let typed = try Terminal.answer(to: "In which unit is \(value): kg, g or lb?")
        let (_, unit) = try Weight.parse(typed: "\(value) \(typed)")
        guard let unit else { throw ModelError.weightWithoutUnit }
        body[Weight.unit] = .text(unit)
    }
}

extension Weight {
    /// Parses a weight that a person typed: with its unit in capitals or small letters, and with a decimal comma where
    /// the number cannot be thousands.
    static func parse(typed text: String) throws(ModelError) -> (value: ExactDecimal, unit: String?) {
        let text = text.trimmingCharacters(in: .whitespaces).lowercased()
        let unit = text.reversed().prefix { $0.isLetter }.reversed()
        let number = text.dropLast(unit.count).trimmingCharacters(in: .whitespaces)
        return try parse(TypedNumber.decimal(number) + String(unit))
    }
}

extension ModelError {
    fileprivate static let weightWithoutUnit = ModelError(
        .invalid,
        field: Weight.unit.name,
        "is required: give it with the weight, such as 72.5kg, 4200g or 160lb"
    )
}
