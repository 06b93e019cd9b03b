/// Reads and writes documents of Purus Health.
package enum PurusDocument {
    /// The names under which a document gives an id to a record or an entry.
    static let idNames: Set<String> = ["uuid", "id"]
}
