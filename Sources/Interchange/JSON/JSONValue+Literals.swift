/// Literals, so that fixed documents can be written in code in the form in which they are sent.
extension JSONValue: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral, ExpressibleByStringLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral
{
    package init(dictionaryLiteral members: (String, JSONValue)...) {
        self = .object(members.map { Member($0.0, $0.1) })
    }

    package init(arrayLiteral items: JSONValue...) { self = .array(items) }

    package init(stringLiteral text: String) { self = .string(text) }

    package init(booleanLiteral flag: Bool) { self = .bool(flag) }

    package init(integerLiteral number: Int) { self = .integer(number) }
}
