/// Why a note, a checkpoint or a proof was not taken.
package struct ProofError: Error, Hashable, Sendable {
    package enum Code: Hashable, Sendable {
        /// The text is not of the form that it should be.
        case malformed
        /// No known key has signed it.
        case unknownKey
        /// A known key is named, and did not sign this.
        case badSignature
        /// It is well formed, and does not prove what it should.
        case mismatch
    }

    package let code: Code
    /// The line at fault, counted from 1, if one is.
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
