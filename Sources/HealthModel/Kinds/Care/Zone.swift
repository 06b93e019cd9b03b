/// The time zone in which the person is from the entry's date on.
package enum Zone {
    package static let zone = Field(1, "zone", "Time zone", .zone, isRequired: true)

    package static let kind = Kind(
        code: 27,
        name: "zone",
        label: "Time zone",
        plural: "Time zones",
        section: .myhealth,
        fields: [zone],
        requiresTime: true,
        example: ["date": "2026-05-04T11:00:00Z", "zone": "Asia/Kathmandu"]
    )
}
