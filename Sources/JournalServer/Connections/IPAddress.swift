import NIOCore

/// An IP address.
///
/// An IPv4-mapped IPv6 address (`::ffff:192.0.2.1`) is treated as the IPv4 address.
package struct IPAddress: Hashable, Sendable, CustomStringConvertible {
    /// 4 or 16 bytes in network order.
    package let bytes: [UInt8]

    package init?(_ text: some StringProtocol) {
        // A zone names the interface of a link-local address; it does not identify the client.
        let address = text.prefix { $0 != "%" }
        guard address.utf8.count <= 45 else { return nil }
        guard let bytes = address.contains(":") ? IPAddress.version6(address) : IPAddress.version4(address) else {
            return nil
        }
        let mapping: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
        self.bytes = bytes.count == 16 && bytes.starts(with: mapping) ? Array(bytes[12...]) : bytes
    }

    fileprivate init(networkOrder bytes: [UInt8]) { self.bytes = bytes }

    init?(_ address: SocketAddress) {
        guard let text = address.ipAddress else { return nil }
        self.init(text)
    }

    package var isIPv4: Bool { bytes.count == 4 }

    var isLoopback: Bool { isIPv4 ? bytes[0] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1 }

    /// The network by which sign-in attempts are counted: roughly one household or one customer of a provider.
    var signInNetwork: IPNetwork { network(bits: isIPv4 ? 24 : 64) }

    /// The network that the address belongs to, with a prefix of so many bits.
    package func network(bits: Int) -> IPNetwork { IPNetwork(self, bits: bits) }

    package var description: String {
        if isIPv4 { return bytes.map { String($0) }.joined(separator: ".") }
        return stride(from: 0, to: 16, by: 2)
            .map { String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16) }.joined(separator: ":")
    }

    private static func version4(_ text: some StringProtocol) -> [UInt8]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var bytes: [UInt8] = []
        for part in parts {
            guard (1...3).contains(part.utf8.count), part.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let byte = UInt8(part)
            else { return nil }
            bytes.append(byte)
        }
        return bytes
    }

    private static func version6(_ text: some StringProtocol) -> [UInt8]? {
        // `::` may occur once, for one or more zero groups.
        let halves = text.split(separator: "::", omittingEmptySubsequences: false)
        guard halves.count <= 2 else { return nil }
        var sides: [[UInt8]] = []
        for (place, half) in halves.enumerated() {
            var side: [UInt8] = []
            let groups = half.isEmpty ? [] : half.split(separator: ":", omittingEmptySubsequences: false)
            for (index, group) in groups.enumerated() {
                if group.contains(".") {
                    guard index == groups.count - 1, place == halves.count - 1, let last = version4(group) else {
                        return nil
                    }
                    side += last
                } else {
                    guard (1...4).contains(group.utf8.count), group.utf8.first != 0x2B,
                        let value = UInt16(group, radix: 16)
                    else { return nil }
                    side += [UInt8(value >> 8), UInt8(value & 0xFF)]
                }
            }
            sides.append(side)
        }
        if sides.count == 1 { return sides[0].count == 16 ? sides[0] : nil }
        let missing = 16 - sides[0].count - sides[1].count
        guard missing >= 2 else { return nil }
        return sides[0] + [UInt8](repeating: 0, count: missing) + sides[1]
    }
}

/// An IP network in CIDR notation, such as `192.0.2.0/24`.
package struct IPNetwork: Hashable, Sendable, CustomStringConvertible {
    private let bits: Int
    private let prefix: [UInt8]

    init(_ address: IPAddress, bits: Int) {
        self.bits = min(max(bits, 0), address.bytes.count * 8)
        prefix = IPNetwork.masked(address.bytes, self.bits)
    }

    /// Parses a network; an address without a prefix length is a network of that address alone.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = IPAddress(parts[0]) else { return nil }
        let all = address.bytes.count * 8
        guard parts.count == 2 else {
            self.init(address, bits: all)
            return
        }
        guard let bits = Int(parts[1]), (0...all).contains(bits) else { return nil }
        self.init(address, bits: bits)
    }

    package func contains(_ other: IPAddress) -> Bool {
        other.bytes.count == prefix.count && IPNetwork.masked(other.bytes, bits) == prefix
    }

    package var description: String { "\(IPAddress(networkOrder: prefix))/\(bits)" }

    private static func masked(_ bytes: [UInt8], _ bits: Int) -> [UInt8] {
        bytes.enumerated()
            .map { index, byte in
                let kept = min(max(bits - index * 8, 0), 8)
                return kept == 0 ? 0 : byte & (0xFF << UInt8(8 - kept))
            }
    }
}
