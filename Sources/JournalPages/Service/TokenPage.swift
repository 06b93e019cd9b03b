/// A token that was made just now, shown this once.
package struct TokenPage: WebPage {
    package static let template = "token"

    package let secret: String
    /// Where to go then.
    package let done: String

    package init(secret: String, done: String) {
        self.secret = secret
        self.done = done
    }
}
