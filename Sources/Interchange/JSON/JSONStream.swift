/// Writes a JSON document incrementally; produces the same bytes as ``JSONWriter`` does for the whole document.
///
/// Every container that is begun must be ended, and every name must be followed by one value.
package struct JSONStream {
    private struct Container {
        let end: UInt8
        var isEmpty = true
    }

    private var writer: JSONWriter
    private var containers: [Container] = []
    private var followsName = false
    /// The number of arrays and objects around the document, for the indentation.
    private let outerLevel: Int

    package init(_ style: JSONWriter.Style, level: Int = 0) {
        writer = JSONWriter(style: style)
        outerLevel = level
    }

    /// How many bytes have been written since the last ``take()``.
    package var count: Int { writer.output.count }

    /// The bytes that have been written since the last call.
    package mutating func take() -> [UInt8] {
        defer { writer.output = [] }
        return writer.output
    }

    package mutating func beginObject() { begin("{", "}") }

    package mutating func beginArray() { begin("[", "]") }

    /// Ends the innermost array or object.
    package mutating func end() {
        let container = containers.removeLast()
        if !container.isEmpty { writer.startLine(level) }
        writer.output.append(container.end)
    }

    /// Begins a member of the innermost object; its value follows.
    package mutating func name(_ name: String) {
        separate()
        writer.write(name: name)
        followsName = true
    }

    /// Adds an item to the innermost array, or the value of the member that was begun.
    package mutating func add(_ value: JSONValue) {
        separate()
        writer.write(value, level: level)
    }

    /// The number of arrays and objects around the next value.
    package var level: Int { outerLevel + containers.count }

    /// Adds an item that ``JSONWriter`` wrote at the same ``level``.
    package mutating func add(written item: [UInt8]) {
        separate()
        writer.output += item
    }

    /// Begins an object with the members of another; further members may follow.
    ///
    /// `text` is that object, as a ``JSONWriter`` wrote it in the compact style. Returns where the values of its members with
    /// the given names begin; nil for a name that it does not have. Returns nil, and begins nothing, if the text is not one of
    /// an object.
    mutating func beginObject(copying text: Span<UInt8>, finding names: [String]) -> [Int?]? {
        guard text.count > 1, text[0] == UInt8(ascii: "{"), text[text.count - 1] == UInt8(ascii: "}") else {
            return nil
        }
        separate()
        defer { containers.append(Container(end: UInt8(ascii: "}"), isEmpty: text.count == 2)) }
        return writer.write(copying: text, level: level, finding: names)
    }

    package mutating func add(_ members: [JSONValue.Member]) {
        for member in members {
            name(member.name)
            add(member.value)
        }
    }

    // MARK: - Text in pieces

    package mutating func beginText() {
        separate()
        writer.output.append(UInt8(ascii: "\""))
    }

    /// Adds a part of a text, in UTF-8.
    package mutating func addText(_ part: [UInt8]) { writer.escape(part) }

    package mutating func endText() { writer.output.append(UInt8(ascii: "\"")) }

    // MARK: -

    private mutating func begin(_ start: Unicode.Scalar, _ end: Unicode.Scalar) {
        separate()
        writer.output.append(UInt8(ascii: start))
        containers.append(Container(end: UInt8(ascii: end)))
    }

    /// Writes the separator between two values.
    private mutating func separate() {
        if followsName {
            followsName = false
            return
        }
        guard let innermost = containers.indices.last else { return }
        if !containers[innermost].isEmpty { writer.output.append(UInt8(ascii: ",")) }
        containers[innermost].isEmpty = false
        writer.startLine(level)
    }
}
