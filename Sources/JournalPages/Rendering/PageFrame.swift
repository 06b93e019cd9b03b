/// The frame around every page: title, navigation, notice and assets.
package struct PageFrame: Sendable {
    /// The page title, which never contains health data, because it is stored in the browser's history.
    package var title: String
    /// Nil if no account is signed in.
    package var account: Account?
    /// The token that proves that a form was sent from one of these pages.
    package var formToken: String
    /// A short notice of the action that was just completed.
    package var notice: Notice?
    /// Which time zone times are in, in words; nil if no account is signed in.
    package var zone: String?
    /// The seconds until the session ends if it is not used; nil if no account is signed in.
    package var sessionSeconds: String?
    /// The addresses of the assets, which change with their content.
    package let style = Asset.style.address
    package let script = Asset.script.address
    package let icon = Asset.icon.address
    package let touchIcon = Asset.touchIcon.address
    package let manifest = Asset.manifest.address
    package let offline = Asset.offline.address
    package let push = Asset.push.address
    package let printStyle = Asset.printStyle.address

    package init(
        title: String,
        account: Account? = nil,
        formToken: String = "",
        notice: Notice? = nil,
        zone: String? = nil,
        sessionSeconds: String? = nil
    ) {
        self.zone = zone
        self.sessionSeconds = sessionSeconds
        self.title = title
        self.account = account
        self.formToken = formToken
        self.notice = notice
    }

    package struct Notice: Sendable {
        package var text: String
        /// Whether the action was completed, and something about it needs attention.
        package var isWarning: Bool

        package init(_ text: String, isWarning: Bool = false) {
            (self.text, self.isWarning) = (text, isWarning)
        }
    }

    /// The signed-in account, and which pages it can reach.
    package struct Account: Sendable {
        package var id: String
        package var name: String
        package var hasRecords: Bool
        package var seesTrail: Bool

        package init(id: String, name: String, hasRecords: Bool, seesTrail: Bool) {
            self.id = id
            self.name = name
            self.hasRecords = hasRecords
            self.seesTrail = seesTrail
        }
    }
}
