package import FoundationEssentials

extension UUID {
    /// The canonical form in lowercase, as RFC 9562 writes it.
    package var text: String { uuidString.lowercased() }

    /// The sixteen bytes in network order.
    package var bytes: [UInt8] {
        let (a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p) = uuid
        return [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p]
    }

    /// The id of sixteen bytes; nil for any other number of them.
    package init?(bytes: some Collection<UInt8>) {
        let b = Array(bytes)
        guard b.count == 16 else { return nil }
        self.init(
            uuid: (b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15])
        )
    }
}
