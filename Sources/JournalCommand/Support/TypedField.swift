import ArgumentParser
import HealthModel

/// A field that was given as an argument, as `givenName=Maria`, `--given-name Maria` or `--given-name=Maria`.
struct TypedField {
    /// The name as it was typed, which has two dashes in front if it is that of an option.
    let typed: String
    let value: String

    /// Splits the arguments that are no options of the command; each field may be given once.
    static func all(_ arguments: [String]) throws -> [TypedField] {
        var fields: [TypedField] = []
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let isOption = argument.hasPrefix("--")
            guard parts[0].count > (isOption ? 2 : 0), isOption || parts.count == 2 else {
                throw ValidationError("each value is given as FIELD=VALUE, but one of them has no '='")
            }
            let name = shown(parts[0])
            guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else {
                throw ValidationError("\(name) is no option here that stands alone; if it is a field, it needs a value")
            }
            // Otherwise an option without its value would take the next field as its value.
            guard parts.count == 2 || !value.hasPrefix("--") && value.prefixMatch(of: /[A-Za-z][A-Za-z0-9.]*=/) == nil
            else {
                throw ValidationError("\(name) needs a value; if that is one, write it as \(name)=VALUE")
            }
            guard !fields.contains(where: { $0.typed == parts[0] }) else {
                throw ValidationError("\(name) is given twice")
            }
            fields.append(TypedField(typed: parts[0], value: value))
        }
        return fields
    }

    /// Returns a name for a message; what does not look like one may be health data, and is not repeated.
    private static func shown(_ name: String) -> String {
        name.wholeMatch(of: /(--)?[A-Za-z][A-Za-z0-9.-]{0,39}/) == nil ? "a field" : name
    }
}

extension [TypedField] {
    /// Returns the values with the names of their fields; throws if an option names none of them.
    func named(among names: [String]) throws(ModelError) -> [(name: String, value: String)] {
        var named: [(name: String, value: String)] = []
        for field in self {
            var name = field.typed
            if name.hasPrefix("--") {
                let option = name.dropFirst(2)
                guard let found = names.first(where: { $0.dashed == option || $0 == option }) else {
                    throw ModelError(
                        .invalid,
                        "there is no option and no field \(name); the fields are \(names.joined(separator: ", "))"
                    )
                }
                name = found
            }
            guard !named.contains(where: { $0.name == name }) else {
                throw ModelError(.invalid, field: name, "is given twice")
            }
            named.append((name, field.value))
        }
        return named
    }
}

extension String {
    /// The option of a field: `givenName` as `given-name`, `animalID` as `animal-id`, `vet.email` as `vet-email`.
    var dashed: String {
        var result = ""
        var wasUpper = true
        for character in self {
            if character == "." {
                result.append("-")
                wasUpper = true
                continue
            }
            if character.isUppercase, !wasUpper { result.append("-") }
            wasUpper = character.isUppercase
            result.append(contentsOf: character.lowercased())
        }
        return result
    }
}
