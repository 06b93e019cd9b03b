/// The problem with a page, and the keys that are affected.
package struct PageFault: Error, Hashable, Sendable {
    package let page: UInt64
    package let what: String
    /// The index of the node in the page, if a single node is at fault.
    package var node: Int?
    /// The range of keys that the page may contain, without the upper bound; nil where there is no bound.
    package var lower: [UInt8]?
    package var upper: [UInt8]?

    init(_ page: UInt64, _ what: String, node: Int? = nil) {
        self.page = page
        self.what = what
        self.node = node
    }

    func within(_ lower: [UInt8]?, _ upper: [UInt8]?) -> PageFault {
        var copy = self
        (copy.lower, copy.upper) = (lower, upper)
        return copy
    }
}

extension PageFault: CustomStringConvertible {
    package var description: String { "page \(page) of the file: \(what)" }
}
