import NIOCore
import Platform

/// The hosts to which reminders may be sent: names, addresses and networks that the operator has named.
///
/// A name that leads to a loopback or private address is refused unless that address, or its network, is named as well:
/// otherwise a person could make the service send requests to machines that only the service can reach.
package struct ReminderHosts: Hashable, Sendable {
    private var names: Set<String> = []
    private var networks: [IPNetwork] = []

    package init() {}

    /// Parses names, addresses and networks.
    package init(_ texts: some Sequence<String>) {
        for text in texts {
            if let network = IPNetwork(text) {
                networks.append(network)
            } else {
                names.insert(text.lowercased())
            }
        }
    }

    var isEmpty: Bool { names.isEmpty && networks.isEmpty }

    func allows(host: String) -> Bool {
        if let address = IPAddress(host) { return networks.contains { $0.contains(address) } }
        return names.contains(host.lowercased())
    }

    /// Returns the address of an allowed host, to which the connection must then be made; nil if it is not allowed.
    ///
    /// Throws if the name is not resolved within a time: the system's resolver cannot be interrupted, and may take longer
    /// on its own thread.
    func address(of host: String, port: Int, within patience: Duration) async throws -> IPAddress? {
        if let address = IPAddress(host) { return allows(host: host) ? address : nil }
        let found = try await BlockingWork.run(within: patience) {
            try SocketAddress.makeAddressResolvingHost(host, port: port)
        }
        guard let address = IPAddress(found) else { return nil }
        if networks.contains(where: { $0.contains(address) }) { return address }
        return address.isPublic ? address : nil
    }
}

extension IPAddress {
    /// Whether the address belongs to a machine of the public internet, as far as the special-purpose registries tell.
    var isPublic: Bool { !IPAddress.special.contains { $0.contains(self) } }

    /// The IANA registries of special-purpose addresses, and multicast.
    private static let special = [
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/3",
        "::/127", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "2002::/16", "fc00::/7",
        "fe80::/10", "ff00::/8",
    ]
    .compactMap { IPNetwork($0) }
}
