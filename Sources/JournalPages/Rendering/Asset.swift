internal import Crypto
internal import EmbeddedFiles

/// A static file that pages refer to, the same for all users; browsers may cache it permanently.
package struct Asset: Sendable {
    package let name: String
    package let mediaType: String
    package let bytes: [UInt8]
    /// The address, which contains a digest of the file and so changes with its content.
    package let address: String

    private init(_ name: String, _ mediaType: String, _ bytes: [UInt8]? = nil) {
        self.name = name
        self.mediaType = mediaType
        let bytes = bytes ?? embeddedFile(name)
        self.bytes = bytes
        let digest = SHA256.hash(data: bytes).prefix(6)
            .map { $0 < 16 ? "0" + String($0, radix: 16) : String($0, radix: 16) }
        address = "/assets/\(digest.joined())/\(name)"
    }

    package static let style = Asset("journal.css", "text/css; charset=utf-8")
    package static let script = Asset("journal.js", "text/javascript; charset=utf-8")
    package static let icon = Asset("icon.svg", "image/svg+xml")
    package static let offline = Asset("offline.js", "text/javascript; charset=utf-8")
    package static let push = Asset("push.js", "text/javascript; charset=utf-8")
    /// The style sheet of pages that are made to be printed.
    package static let printStyle = Asset("print.css", "text/css; charset=utf-8")
    /// The icons of the pages where they are installed: on iOS, and elsewhere.
    package static let touchIcon = Asset("icon-180.png", "image/png")
    package static let largeIcon = Asset("icon-512.png", "image/png")
    package static let manifest = Asset("journal.webmanifest", "application/manifest+json", Array(manifestText.utf8))
    package static let all = [style, script, icon, offline, push, printStyle, touchIcon, largeIcon, manifest]

    /// What a browser needs to install the pages as an application (https://www.w3.org/TR/appmanifest/).
    private static let manifestText = """
        {
          "id": "/records",
          "name": "HealthJournal",
          "short_name": "HealthJournal",
          "start_url": "/records",
          "scope": "/",
          "display": "standalone",
          "background_color": "#fbfaf7",
          "theme_color": "#ffffff",
          "icons": [
            {"src": "\(icon.address)", "sizes": "any", "type": "image/svg+xml"},
            {"src": "\(largeIcon.address)", "sizes": "512x512", "type": "image/png", "purpose": "any"},
            {"src": "\(largeIcon.address)", "sizes": "512x512", "type": "image/png", "purpose": "maskable"}
          ]
        }
        """

    /// The script of the service worker; its address is fixed, because browsers look there for a new version.
    package static let worker = embeddedFile("worker.js")
}
