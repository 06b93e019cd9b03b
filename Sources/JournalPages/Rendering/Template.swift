internal import EmbeddedFiles
internal import Mustache

/// The template of a page; parsed once, when the page is first rendered.
package struct Template: Sendable {
    let parsed: MustacheTemplate

    /// Parses the template of the program with this name, which must be valid.
    init(_ name: String) {
        do {
            parsed = try Template.parse(Template.source(name))
        } catch {
            preconditionFailure("a template \(name) cannot be parsed: \(error)")
        }
    }

    /// Parses a template whose values are escaped by `EscapedHTML`.
    static func parse(_ source: [UInt8]) throws -> MustacheTemplate {
        _ = registration
        // Set in each template, because the library resets the content type to its own in each partial.
        return try MustacheTemplate(
            string: "{{% CONTENT_TYPE:\(EscapedHTML.name)}}" + String(decoding: source, as: UTF8.self)
        )
    }

    private static let registration: Void = MustacheContentTypes.register(EscapedHTML(), named: EscapedHTML.name)

    /// The templates that other templates include.
    static let partials = [
        "layout", "record-head", "moment", "period", "undo", "entry-line", "change", "field", "form-block", "charts",
        "as-needed", "dose-line", "dose-details", "offline", "plan-card", "finding-card", "sentence", "practice-head",
        "calendar-moment", "visit", "visit-row", "own-visit", "booking-head", "level", "triage-notice", "triage-states",
        "trend", "severity", "refusal",
    ]

    /// The text of a template of the program.
    static func source(_ name: String) -> [UInt8] { embeddedFile("\(name).mustache") }
}
