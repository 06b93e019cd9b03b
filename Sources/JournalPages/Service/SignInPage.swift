/// The page for signing in.
package struct SignInPage: WebPage {
    package static let template = Template("sign-in")

    package let name: String
    package let problem: String?
    /// The address to go to after signing in, always one of these pages.
    package let next: String

    package init(name: String = "", problem: String? = nil, next: String = "") {
        self.name = name
        self.problem = problem
        self.next = next
    }
}
