internal import Mustache

/// The template of a page; parsed once, when the page is first rendered.
package struct Template: Sendable {
    let parsed: MustacheTemplate

    /// Parses a template of the program, which must be valid.
    init(_ source: [UInt8]) {
        do {
            parsed = try Template.parse(source)
        } catch {
            preconditionFailure("a template of the program cannot be parsed: \(error)")
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

    /// The templates that other templates include, by the names that they use.
    static let partials: [String: [UInt8]] = [
        "layout": PackageResources.layout_mustache,
        "record-head": PackageResources.record_head_mustache,
        "moment": PackageResources.moment_mustache, "period": PackageResources.period_mustache,
        "undo": PackageResources.undo_mustache,
        "entry-line": PackageResources.entry_line_mustache,
        "change": PackageResources.change_mustache,
        "field": PackageResources.field_mustache,
        "charts": PackageResources.charts_mustache,
        "as-needed": PackageResources.as_needed_mustache,
        "dose-line": PackageResources.dose_line_mustache,
        "dose-details": PackageResources.dose_details_mustache,
        "offline": PackageResources.offline_mustache,
        "plan-card": PackageResources.plan_card_mustache,
        "plan-views": PackageResources.plan_views_mustache,
        "finding-card": PackageResources.finding_card_mustache,
        "sentence": PackageResources.sentence_mustache,
        "practice-head": PackageResources.practice_head_mustache,
        "calendar-moment": PackageResources.calendar_moment_mustache,
        "visit": PackageResources.visit_mustache,
        "visit-row": PackageResources.visit_row_mustache,
        "own-visit": PackageResources.own_visit_mustache,
        "booking-head": PackageResources.booking_head_mustache,
        "level": PackageResources.level_mustache,
        "triage-notice": PackageResources.triage_notice_mustache,
        "triage-states": PackageResources.triage_states_mustache,
    ]
}
