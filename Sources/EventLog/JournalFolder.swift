/// Where the parts of a journal lie.
package struct JournalFolder: Hashable, Sendable {
    package let path: String

    package init(_ path: String) {
        self.path = path
    }

    package var log: String { path + "/log" }
    package var index: String { path + "/index" }
    package var views: String { path + "/views" }
    package var blobs: String { path + "/blobs" }
    package var keys: String { path + "/keys" }
}
