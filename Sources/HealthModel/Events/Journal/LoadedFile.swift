/// A file for the whole journal was loaded; it replaces an earlier one of the same type and name.
///
/// The file itself is an attachment of the journal.
package protocol LoadedFile: EventData, Hashable {
    var name: String { get }
    var version: String { get }
    /// The SHA-256 of the file, in hexadecimal digits.
    var digest: String { get }
    /// The number of rows of the file.
    var count: Int { get }
}
