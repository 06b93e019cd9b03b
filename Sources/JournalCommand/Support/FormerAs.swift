/// The values of `--as`, which named an account or, in earlier versions, also something else: scripts still pass it.
struct FormerAs<Choice> {
    /// The choice that was given by `--as`; nil if it names an account alone.
    let choice: Choice?
    /// The account to act as; nil for the usual one.
    let account: String?

    /// Returns nil if the values are more than a choice and an account.
    ///
    /// `parse` reads a choice. With `isChosen`, it was given by its own option, and every value is an account.
    init?(_ values: [String], isChosen: Bool, _ parse: (String) -> Choice?) {
        let choices = isChosen ? [] : values.compactMap(parse)
        let accounts = values.filter { isChosen || parse($0) == nil }
        guard choices.count <= 1, accounts.count <= 1 else { return nil }
        (choice, account) = (choices.first, accounts.first)
    }
}
