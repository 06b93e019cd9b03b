/// Fields that several kinds have, with the same numbers in each.
package enum SharedFields {
    /// The codes of terminologies for what the entry names, as their source gave them; never derived from text.
    package static let codes = Field(
        100,
        "codes",
        "Codes",
        .list(of: .group([system, code, display, version]), maximum: 50)
    )
    /// When the condition, the risk or the medication ended, as precisely as it is known.
    package static let ended = Field(101, "ended", "Ended", .partialDate)

    // The fields of a code.
    package static let system = Field(1, "system", "System", .text(maximum: Limits.line))
    package static let code = Field(2, "code", "Code", .text(maximum: Limits.line), isRequired: true)
    package static let display = Field(3, "display", "Meaning", .text(maximum: Limits.line))
    package static let version = Field(4, "version", "Version", .text(maximum: Limits.line))
}
