/// A field of a source document that the model does not define, stored so that an export contains it again.
package struct Extra: Hashable, Sendable {
    package var name: String
    /// The value as JSON text, as received.
    package var json: String

    package init(name: String, json: String) {
        self.name = name
        self.json = json
    }
}
