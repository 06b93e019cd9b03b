/// What stands around every page.
package struct PageFrame: Sendable {
    /// Never says anything of anybody's health: a title is in a browser's history.
    package var title: String
    /// Nil for somebody who has not signed in.
    package var account: Account?
    /// Shows that a form came from one of these pages.
    package var formToken: String
    /// What was done just now, in a few words.
    package var notice: String?
    /// Addresses with a part that changes whenever what stands there does.
    package let style = Asset.style.address
    package let script = Asset.script.address
    package let icon = Asset.icon.address

    package init(title: String, account: Account? = nil, formToken: String = "", notice: String? = nil) {
        self.title = title
        self.account = account
        self.formToken = formToken
        self.notice = notice
    }

    /// Who is signed in, and where they may go.
    package struct Account: Sendable {
        package var name: String
        package var hasRecords: Bool
        package var seesTrail: Bool

        package init(name: String, hasRecords: Bool, seesTrail: Bool) {
            self.name = name
            self.hasRecords = hasRecords
            self.seesTrail = seesTrail
        }
    }
}
