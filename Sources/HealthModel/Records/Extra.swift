/// A field of a source document that the model does not know, kept so that it comes out again on export.
package struct Extra: Hashable, Sendable {
    package var name: String
    /// The value as JSON text, as it came.
    package var json: String

    package init(name: String, json: String) {
        self.name = name
        self.json = json
    }
}
