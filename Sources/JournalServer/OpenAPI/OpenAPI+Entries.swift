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

    /// The medication in examples of entries that refer to one.
    static let exampleMedication = "0f8fad5b-d9cb-469f-a165-70867728950e"

    /// An example entry of a kind with a plan, whose plan was changed.
    static func exampleOfChangedPlan(of kind: Kind) -> JSONValue {
        var content = exampleContent(of: kind)
        content.stop(at: WallMoment(day: Day(daysSince1970: 20_600)), why: .finished)
        return NativeDocument.write(content)
    }

    /// The example entry of a kind.
    static func exampleEntry(of kind: Kind) -> JSONValue { NativeDocument.write(exampleContent(of: kind)) }

    private static func exampleContent(of kind: Kind) -> EntryContent {
        var content = EntryContent(kind: kind)
        for (path, text) in kind.example {
            do throws(ModelError) {
                try content.set(path, text: text)
            } catch {
                preconditionFailure("the example of the kind \(kind.name) is invalid: \(error)")
            }
        }
        return content
    }
}
