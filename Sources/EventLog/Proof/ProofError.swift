/// An error that explains why a note, a checkpoint or a proof was rejected.
package struct ProofError: Error, Hashable, Sendable {
    package enum Code: Hashable, Sendable {
        /// The text does not have the required form.
        case malformed
        /// No known key has signed the note.
        case unknownKey
        /// A signature names a known key, but is not valid under it.
        case badSignature
        /// The proof is well formed, but does not prove what it should.
        case mismatch
    }

    package let code: Code
    /// The line with the error, counted from 1, if the error is in one line.
    package let line: Int?
    package let message: String

    package init(_ code: Code, _ message: String, line: Int? = nil) {
        self.code = code
        self.message = message
        self.line = line
    }
}

extension ProofError: CustomStringConvertible {
    package var description: String { line.map { "line \($0): \(message)" } ?? message }
}
