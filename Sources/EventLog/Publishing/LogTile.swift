/// A tile of a log's Merkle tree: up to 256 hashes of one level (https://c2sp.org/tlog-tiles).
///
/// Hash i of the tile with number N on level L is the root of the complete subtree of 256^L leaves that ends with leaf
/// (256 N + i + 1) · 256^L. It never changes once it exists, and so neither does a full tile.
package struct LogTile: Hashable, Sendable {
    /// The number of hashes of a full tile.
    package static let fullWidth = 256
    /// 256^8 leaves would be more than a position can count.
    static let maximumLevel = 7

    package let level: Int
    package let number: UInt64
    /// The number of hashes, from 1 to 256.
    package let width: Int

    /// The path below the log's prefix, such as `tile/0/x001/067` or `tile/1/000.p/5`.
    package var path: String {
        var parts: [String] = []
        var rest = number
        repeat {
            let digits = String(rest % 1_000)
            parts.append((parts.isEmpty ? "" : "x") + String(repeating: "0", count: 3 - digits.count) + digits)
            rest /= 1_000
        } while rest > 0
        return "tile/\(level)/\(parts.reversed().joined(separator: "/"))"
            + (width < Self.fullWidth ? ".p/\(width)" : "")
    }

    package init(level: Int, number: UInt64, width: Int = fullWidth) {
        (self.level, self.number, self.width) = (level, number, width)
    }

    /// Parses a path below the log's prefix; nil for any other text, also for another spelling of the same tile.
    package init?(path: some StringProtocol) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count >= 3, parts[0] == "tile", let level = Int(parts[1]), (0...Self.maximumLevel).contains(level)
        else { return nil }
        var groups = parts.dropFirst(2)
        var width = Self.fullWidth
        if groups.count > 1, let last = groups.dropLast().last, last.hasSuffix(".p") {
            guard let partial = Int(groups.removeLast()), (1..<Self.fullWidth).contains(partial) else { return nil }
            width = partial
            groups[groups.endIndex - 1] = last.dropLast(2)
        }
        var number: UInt64 = 0
        // 256 to the power of 8 has 20 digits.
        guard groups.count <= 7 else { return nil }
        for group in groups {
            guard let value = UInt64(group.drop { $0 == "x" }), value < 1_000,
                case (let product, let isTooLarge) = number.multipliedReportingOverflow(by: 1_000), !isTooLarge,
                case (let sum, let overflows) = product.addingReportingOverflow(value), !overflows
            else { return nil }
            number = sum
        }
        self.init(level: level, number: number, width: width)
        guard self.path == path else { return nil }
    }

    /// The tiles of a log of `size` events, on all levels: the full ones, and at the end of each level the partial one.
    ///
    /// `old` is a size whose full tiles are left out.
    package static func all(ofSize size: UInt64, since old: UInt64 = 0) -> [LogTile] {
        var tiles: [LogTile] = []
        for level in 0...maximumLevel {
            let count = size >> UInt64(8 * level)
            if count == 0 { break }
            let full = count / UInt64(fullWidth)
            tiles += ((old >> UInt64(8 * level)) / UInt64(fullWidth)..<full).map { LogTile(level: level, number: $0) }
            let rest = Int(count % UInt64(fullWidth))
            if rest > 0 { tiles.append(LogTile(level: level, number: full, width: rest)) }
        }
        return tiles
    }

    /// The number of events that a log must have for the tile to exist; nil if no log can have so many.
    package var minimumSize: UInt64? {
        let (start, overflows) = number.multipliedReportingOverflow(by: UInt64(Self.fullWidth))
        let (end, isTooLarge) = start.addingReportingOverflow(UInt64(width))
        let shift = UInt64(8 * level)
        guard !overflows, !isTooLarge, end <= UInt64.max >> shift else { return nil }
        return end << shift
    }
}

extension EventLog {
    /// Returns the hashes of a tile, 32 bytes each; throws `notFound` if the log is too small to have it.
    package func tile(_ tile: LogTile) throws(EventLogError) -> [UInt8] {
        try reading { transaction in
            guard let size = tile.minimumSize, size <= (try tables.head(transaction)) else {
                throw EventLogError(.notFound, "the log has no such tile")
            }
            var bytes: [UInt8] = []
            bytes.reserveCapacity(tile.width * MerkleHash.length)
            let shift = UInt64(8 * tile.level)
            let first = tile.number * UInt64(LogTile.fullWidth)
            for index in 0..<UInt64(tile.width) {
                let end = (first + index + 1) << shift
                try tables.node(endingAt: end, level: 8 * tile.level, transaction).append(to: &bytes)
            }
            return bytes
        }
    }
}
