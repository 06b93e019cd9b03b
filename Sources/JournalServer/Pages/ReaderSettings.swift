import Foundation
import HTTPTypes
import HealthModel
import Hummingbird
import JournalPages

/// A browser's settings for the language, and for the format of dates, numbers and weights.
///
/// They are stored in a cookie, because a phone may be in another zone than the desktop. What the cookie does not
/// determine is as the account prefers; the language of an account that prefers none is that of `Accept-Language`.
struct ReaderSettings: Hashable, Sendable {
    static let cookie = "hj_reader"

    /// A BCP 47 tag; nil for the browser's preferred language.
    var locale: String?
    /// An IANA name; nil for the journal's own zone.
    var zone: String?
    /// Nil for the unit in which each weight was entered.
    var weightUnit: String?
    /// The language of the account, and those of the browser, the preferred one first.
    private var preferred: [String] = []
    /// The zone that the account prefers; empty for none.
    private var preferredZone = ""

    init() {}

    /// Reads the settings from the cookie, then from the account's preferences, then from the browser's headers.
    ///
    /// `language` takes precedence over all of them.
    init(_ request: Request, _ preferences: AccountPreferences? = nil, language: String? = nil) {
        for part in (request.cookieValue(ReaderSettings.cookie) ?? "").split(separator: "&") {
            let pair = part.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, let value = String(pair[1]).removingPercentEncoding else { continue }
            switch pair[0] {
            case "locale": locale = Languages.isTag(value) ? value : nil
            case "zone": zone = TimeZone.knownTimeZoneIdentifiers.contains(value) ? value : nil
            case "unit": weightUnit = Weight.shownUnits.contains(value) ? value : nil
            default: break
            }
        }
        preferred = (request.headers[.acceptLanguage] ?? "").split(separator: ",", maxSplits: ReaderSettings.languages)
            .prefix(ReaderSettings.languages)
            .filter { $0.firstMatch(of: /;\s*q=0(\.0*)?\s*$/) == nil }
            .map { String($0.prefix { $0 != ";" }).trimming(\.isWhitespace) }
            .filter(Languages.isTag)
        if let preferences {
            if Languages.isTag(preferences.language) { preferred.insert(preferences.language, at: 0) }
            preferredZone = preferences.timeZone
        }
        if let language, Languages.isTag(language) { locale = language }
    }

    /// The number of the browser's languages that are examined.
    private static let languages = 10

    /// The language of the texts, and the locale of dates and numbers.
    func language(_ languages: Languages) -> ReaderLanguage {
        languages.language(of: locale.map { [$0] } ?? preferred)
    }

    /// The reader's zone; nil for the journal's.
    var timeZone: TimeZone? { TimeZone(identifier: zone ?? preferredZone) }

    func reader(_ languages: Languages, zone journalZone: TimeZone) -> Reader {
        Reader(language(languages), zone: timeZone ?? journalZone, weightUnit: weightUnit)
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
