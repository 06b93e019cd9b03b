internal import CQREncode

/// A text as a square of dark and light fields, for a camera.
package struct QRCode: Sendable {
    /// Fields a side.
    package let size: Int
    private let dark: [Bool]

    /// Nil for a text that no code has room for.
    package init?(_ text: String) {
        // A version of 0 takes the smallest that has room; a quarter of the fields may be lost.
        let code = unsafe text.withCString { unsafe QRcode_encodeString8bit($0, 0, QR_ECLEVEL_M) }
        guard let code = unsafe code else { return nil }
        defer { unsafe QRcode_free(code) }
        let size = Int(unsafe code.pointee.width)
        guard let fields = unsafe code.pointee.data else { return nil }
        self.size = size
        // The lowest bit says whether a field is dark; the others, what it is for.
        dark = (0..<size * size).map { unsafe fields[$0] & 1 == 1 }
    }

    package subscript(column: Int, row: Int) -> Bool { dark[row * size + column] }

    /// As a picture with the margin that cameras need; dark on light in every colour scheme.
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
