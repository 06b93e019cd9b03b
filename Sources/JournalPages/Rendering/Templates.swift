/// The files that pages are made from, by the names under which they call one another.
enum Templates {
    static let all: [String: [UInt8]] = [
        "layout": PackageResources.layout_mustache,
        "problem": PackageResources.problem_mustache,
        "sign-in": PackageResources.sign_in_mustache,
        "records": PackageResources.records_mustache,
        "record-head": PackageResources.record_head_mustache,
        "moment": PackageResources.moment_mustache,
        "record": PackageResources.record_mustache,
        "kind": PackageResources.kind_mustache,
        "entry": PackageResources.entry_mustache,
        "entry-line": PackageResources.entry_line_mustache,
        "change": PackageResources.change_mustache,
        "form": PackageResources.form_mustache,
        "field": PackageResources.field_mustache,
        "timeline": PackageResources.timeline_mustache,
        "history": PackageResources.history_mustache,
        "access": PackageResources.access_mustache,
        "caregivers": PackageResources.caregivers_mustache,
        "invitation": PackageResources.invitation_mustache,
        "chart": PackageResources.chart_mustache,
        "export": PackageResources.export_mustache,
        "import": PackageResources.import_mustache,
        "trail": PackageResources.trail_mustache,
        "verification": PackageResources.verification_mustache,
        "settings": PackageResources.settings_mustache,
    ]
}
