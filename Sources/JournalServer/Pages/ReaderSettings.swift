import Foundation
import HTTPTypes
import Hummingbird
import JournalPages

/// How somebody wants dates, numbers and weights written in this browser.
///
/// Kept in a cookie: a phone may be in another zone than the desk. What it does not say, the browser's languages say.
struct ReaderSettings: Hashable, Sendable {
    static let cookie = "hj_reader"

    /// A BCP 47 tag; nil for what the browser prefers.
    var locale: String?
    /// An IANA name; nil for the journal's own zone.
    var zone: String?
    /// Nil for the unit in which each weight was read.
    var weightUnit: String?
    private var preferred: String?

    init(_ request: Request) {
        for part in (request.cookieValue(ReaderSettings.cookie) ?? "").split(separator: "&") {
            let pair = part.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, let value = String(pair[1]).removingPercentEncoding else { continue }
            switch pair[0] {
            case "locale": locale = ReaderSettings.isLocale(value) ? value : nil
            case "zone": zone = TimeZone.knownTimeZoneIdentifiers.contains(value) ? value : nil
            case "unit": weightUnit = ["kg", "g", "lb"].contains(value) ? value : nil
            default: break
            }
        }
        preferred = (request.headers[.acceptLanguage] ?? "").split(separator: ",").lazy
            .map { String($0.prefix { $0 != ";" }).trimming(\.isWhitespace) }
            .first(where: ReaderSettings.isLocale)
    }

    /// Letters and digits with hyphens between, and a language that is known.
    static func isLocale(_ text: String) -> Bool {
        (2...35).contains(text.utf8.count) && text.utf8.allSatisfy { $0 < 0x80 && ($0 == 0x2D || isAlphanumeric($0)) }
            && Locale.LanguageCode.isoLanguageCodes.contains { $0.identifier == text.prefix { $0 != "-" }.lowercased() }
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }

    var preferredLocale: Locale { Locale(identifier: locale ?? preferred ?? "en-GB") }

    func reader(_ words: Words, zone journalZone: TimeZone) -> Reader {
        Reader(
            words,
            locale: preferredLocale,
            zone: zone.flatMap(TimeZone.init(identifier:)) ?? journalZone,
            weightUnit: weightUnit
        )
    }

    /// The header that keeps it for a year.
    func setting(isSecure: Bool) -> String {
        let parts = [("locale", locale), ("zone", zone), ("unit", weightUnit)]
            .compactMap { name, value in
                value.map { "\(name)=\($0.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")" }
            }
        return
            "\(ReaderSettings.cookie)=\(parts.joined(separator: "&")); Max-Age=31536000; Path=/; HttpOnly; SameSite=Strict"
            + (isSecure ? "; Secure" : "")
    }
}

extension Request {
    /// The value of a cookie that stands there once.
    func cookieValue(_ name: String) -> String? {
        let found = headers[values: .cookie].flatMap { $0.split(separator: ";") }
            .compactMap { pair -> String? in
                let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard parts.count == 2, String(parts[0]).trimming(\.isWhitespace) == name else { return nil }
                return String(parts[1]).trimming(\.isWhitespace)
            }
        return found.count == 1 ? found.first : nil
    }
}
