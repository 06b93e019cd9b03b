/// A path to a value in a document, such as `weightEntries[3].weightKg`.
///
/// Readers extend it at each value, but only errors need its text, so the text is made only then.
package struct DocumentPath: Sendable {
    private enum Step: Sendable {
        case root(String)
        /// The name of a member.
        case name(String)
        case index(Int)
    }

    private final class Node: Sendable {
        let parent: Node?
        let step: Step

        init(_ parent: Node?, _ step: Step) { (self.parent, self.step) = (parent, step) }
    }

    /// Nil for the document itself.
    private let last: Node?

    package init(_ text: String = "") { last = text.isEmpty ? nil : Node(nil, .root(text)) }

    private init(_ last: Node) { self.last = last }

    package func appending(_ name: String) -> DocumentPath { DocumentPath(Node(last, .name(name))) }

    package func appending(_ index: Int) -> DocumentPath { DocumentPath(Node(last, .index(index))) }

    /// The path as people read it; names of members come from the document, so they are shortened and made printable.
    package var text: String {
        var steps: [Step] = []
        var node = last
        while let here = node {
            steps.append(here.step)
            node = here.parent
        }
        return steps.reversed()
            .reduce(into: "") { text, step in
                switch step {
                case .root(let root): text = root
                case .name(let name): text += (text.isEmpty ? "" : ".") + Self.printable(name)
                case .index(let index): text += "[\(index)]"
                }
            }
    }

    /// The path for an error; nil for the document itself.
    package var field: String? { last == nil ? nil : text }

    private static func printable(_ name: String) -> String {
        var shown = ""
        for scalar in name.unicodeScalars.prefix(64) {
            shown.unicodeScalars.append(TerminalText.isUnsafe(scalar) ? "\u{FFFD}" : scalar)
        }
        return name.unicodeScalars.count > 64 ? shown + "…" : shown
    }
}

extension DocumentPath: CustomStringConvertible {
    package var description: String { text }
}
