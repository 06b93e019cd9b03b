import Foundation
import HTTPTypes
import Hummingbird
import JournalPages

/// A browser's settings for the format of dates, numbers and weights.
///
/// They are stored in a cookie, because a phone may be in another zone than the desktop. `Accept-Language` determines
/// the locale if the cookie does not.
struct ReaderSettings: Hashable, Sendable {
    static let cookie = "hj_reader"

    /// A BCP 47 tag; nil for the browser's preferred language.
    var locale: String?
    /// An IANA name; nil for the journal's own zone.
    var zone: String?
    /// Nil for the unit in which each weight was entered.
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
        preferred = (request.headers[.acceptLanguage] ?? "").split(separator: ",", maxSplits: ReaderSettings.languages)
            .prefix(ReaderSettings.languages).lazy
            .map { String($0.prefix { $0 != ";" }).trimming(\.isWhitespace) }
            .first(where: ReaderSettings.isLocale)
    }

    /// Whether a text consists of letters, digits and hyphens, and begins with a known language code.
    static func isLocale(_ text: String) -> Bool {
        (2...35).contains(text.utf8.count) && text.utf8.allSatisfy { $0 < 0x80 && ($0 == 0x2D || isAlphanumeric($0)) }
            && known.contains(text.prefix { $0 != "-" }.lowercased())
    }

    /// Stored because Foundation builds the list on each call.
    private static let known = Set(Locale.LanguageCode.isoLanguageCodes.map(\.identifier))
    /// The number of the browser's languages that are examined.
    private static let languages = 10

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

    /// The header that sets the cookie for a year.
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
    /// The value of a cookie; nil if it is missing or occurs more than once.
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
