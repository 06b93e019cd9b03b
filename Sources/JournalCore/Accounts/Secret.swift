internal import Crypto
internal import Foundation

/// A bearer secret, which is shown once and stored only as its digest.
package struct Secret: Sendable {
    /// The purpose of a secret, as its prefix: it identifies a secret that is found somewhere.
    package enum Use: String {
        case token = "hj_"
        case session = "hjs_"
        case signInCode = "hjc_"
        case invitation = "hji_"
        case calendar = "hjf_"
    }

    package let text: String

    /// Creates a random secret of the given number of bits.
    package init(_ use: Use, bits: Int) {
        self.init(use, (0..<bits / 8).map { _ in UInt8.random(in: 0...255) })
    }

    /// Creates a secret from bytes that no one can guess.
    package init(_ use: Use, _ bytes: [UInt8]) {
        text = use.rawValue + Data(bytes).base64EncodedString().urlSafe
    }

    package var digest: [UInt8] { Secret.digest(of: text) }

    /// Returns the digest by which a secret is looked up.
    ///
    /// Secrets are random, so the time that a comparison of digests takes reveals nothing.
    package static func digest(of text: String) -> [UInt8] { Array(SHA256.hash(data: Array(text.utf8))) }
}

extension String {
    fileprivate var urlSafe: String {
        String(compactMap { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 == "=" ? nil : $0 })
    }
}
