/// The page that shows a new token, once.
package struct TokenPage: WebPage {
    package static let template = Template("token")

    package let secret: String
    /// The address to go to afterwards.
    package let done: String

    package init(secret: String, done: String) {
        self.secret = secret
        self.done = done
    }
}
