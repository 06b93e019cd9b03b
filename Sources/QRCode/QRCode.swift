internal import CQREncode

/// A text as a QR code: a square of dark and light modules.
package struct QRCode: Sendable {
    /// The number of modules on each side.
    package let size: Int
    private let dark: [Bool]

    /// Encodes a text; nil if no QR code has space for it.
    package init?(_ text: String) {
        // Version 0 selects the smallest version that fits; level M can restore about 15% of the code.
        let code = unsafe text.withCString { unsafe QRcode_encodeString8bit($0, 0, QR_ECLEVEL_M) }
        guard let code = unsafe code else { return nil }
        defer { unsafe QRcode_free(code) }
        let size = Int(unsafe code.pointee.width)
        guard let fields = unsafe code.pointee.data else { return nil }
        self.size = size
        // The lowest bit is set for a dark module; the other bits describe the module's function.
        dark = (0..<size * size).map { unsafe fields[$0] & 1 == 1 }
    }

    package subscript(column: Int, row: Int) -> Bool { dark[row * size + column] }

    /// Returns the code as an SVG image with the margin that cameras need; it is dark on light in every color scheme.
    package func svg(_ label: String) -> String {
        let margin = 4
        var path = ""
        for row in 0..<size {
            var column = 0
            while column < size {
                guard self[column, row] else {
                    column += 1
                    continue
                }
                let start = column
                while column < size, self[column, row] { column += 1 }
                path += "M\(start + margin) \(row + margin)h\(column - start)v1h-\(column - start)z"
            }
        }
        let side = size + 2 * margin
        return
            "<svg viewBox=\"0 0 \(side) \(side)\" role=\"img\" aria-label=\"\(label)\" shape-rendering=\"crispEdges\">"
            + "<rect width=\"\(side)\" height=\"\(side)\" fill=\"#fff\"/><path d=\"\(path)\" fill=\"#000\"/></svg>"
    }
}
