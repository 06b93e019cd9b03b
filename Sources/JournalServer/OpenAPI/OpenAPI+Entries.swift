import HealthModel
import Interchange

/// Names, links and examples of entries, by kind.
extension OpenAPI {
    /// The name of the kind's schema, and of the type in generated clients.
    static func schemaName(_ kind: Kind) -> String { kind.name.prefix(1).uppercased() + kind.name.dropFirst() }

    static func entryLinks(_ name: String, and others: [String] = []) -> [LinkDescription] {
        (["show\(name)", "correct\(name)", "retract\(name)", "restore\(name)", "show\(name)History"] + others)
            .map { operation in
                LinkDescription(
                    operation: operation,
                    parameters: [("record", "$response.body#/record"), ("entry", "$response.body#/entry")]
                )
            }
    }

    /// The example entry of a kind.
    static func exampleEntry(of kind: Kind) -> JSONValue {
        var content = EntryContent(kind: kind)
        for (path, text) in kind.example {
            do throws(ModelError) {
                try content.set(path, text: text)
            } catch {
                preconditionFailure("the example of the kind \(kind.name) is invalid: \(error)")
            }
        }
        return NativeDocument.write(content)
    }
}
