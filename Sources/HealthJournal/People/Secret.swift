internal import Crypto
internal import Foundation

/// Something that lets its bearer in: shown once, and kept as its digest alone.
struct Secret: Sendable {
    /// What a secret is for, as the prefix that tells whoever finds one what they have found.
    enum Use: String {
        case token = "hj_"
        case session = "hjs_"
        case signInCode = "hjc_"
        case invitation = "hji_"
    }

    let text: String

    /// A fresh one of as many random bits.
    init(_ use: Use, bits: Int) {
        let random = (0..<bits / 8).map { _ in UInt8.random(in: 0...255) }
        text = use.rawValue + Data(random).base64EncodedString().urlSafe
    }

    var digest: [UInt8] { Secret.digest(of: text) }

    /// What a secret is known by: as it is random, who compares digests gives nothing away by the time that it takes.
    static func digest(of text: String) -> [UInt8] { Array(SHA256.hash(data: Array(text.utf8))) }
}

extension String {
    fileprivate var urlSafe: String {
        String(compactMap { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 == "=" ? nil : $0 })
    }
}
