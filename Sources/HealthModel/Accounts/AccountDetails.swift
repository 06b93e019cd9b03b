/// How an account is shown to other people: its holder's name, e-mail address and picture.
package struct AccountDetails: Hashable, Sendable {
    package var email: String
    package var displayName: String
    /// The address of a picture, which is kept and never fetched.
    package var pictureAddress: String

    package init(email: String = "", displayName: String = "", pictureAddress: String = "") {
        self.email = email
        self.displayName = displayName
        self.pictureAddress = pictureAddress
    }
}

extension AccountDetails: FieldDescribed {
    private static let email = Field(1, "email", "E-mail", .text(maximum: Limits.email), format: .line)
    private static let displayName = Field(
        2,
        "displayName",
        "Displayed name",
        .text(maximum: Limits.line),
        format: .line
    )
    private static let picture = Field(
        3,
        "pictureAddress",
        "Address of a picture",
        .text(maximum: Limits.pictureAddress),
        format: .line
    )

    package static let fields = [displayName, email, picture]

    package init(values: FieldValues) {
        self.init(
            email: values.text(AccountDetails.email) ?? "",
            displayName: values.text(AccountDetails.displayName) ?? "",
            pictureAddress: values.text(AccountDetails.picture) ?? ""
        )
    }

    package var values: FieldValues {
        var values = FieldValues()
        values[AccountDetails.email] = .text(email)
        values[AccountDetails.displayName] = .text(displayName)
        values[AccountDetails.picture] = .text(pictureAddress)
        return values
    }
}
