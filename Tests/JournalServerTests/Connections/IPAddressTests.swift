import Testing

@testable import JournalServer

@Suite("IP addresses")
struct IPAddressTests {
    @Test(
        "An address is parsed in all of its usual forms",
        arguments: [
            ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("::ffff:c000:201", "192.0.2.1"),
            ("::1", "0:0:0:0:0:0:0:1"), ("2001:DB8::8:800:200C:417A", "2001:db8:0:0:8:800:200c:417a"),
            ("fe80::1%eth0", "fe80:0:0:0:0:0:0:1"), ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"), ("::", "0:0:0:0:0:0:0:0"),
        ]
    )
    func read(text: String, address: String) {
        #expect(IPAddress(text)?.description == address)
    }

    @Test(
        "Text that is not an address is refused",
        arguments: [
            "", "1.2.3", "1.2.3.256", "1.2.3.+4", "01234.1.1.1", "1:2:3", "1::2::3", "12345::", ":::",
            "1:2:3:4:5:6:7:8:9",
            "1.2.3.4::", "::1.2.3", "+1::", "localhost",
        ]
    )
    func unreadable(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test("A network contains its addresses, also as IPv4-mapped IPv6 addresses, and no others")
    func networks() throws {
        let network = try #require(IPNetwork("192.0.2.128/25"))
        #expect(network.contains(try #require(IPAddress("::ffff:192.0.2.200"))))
        #expect(!network.contains(try #require(IPAddress("192.0.2.1"))))
        #expect(!network.contains(try #require(IPAddress("2001:db8::1"))))
        #expect(try #require(IPNetwork("10.0.0.1")).contains(try #require(IPAddress("10.0.0.1"))))
        #expect(IPNetwork("10.0.0.0/33") == nil)
        #expect(IPNetwork("10.0.0.0/") == nil)
        let one = try #require(IPAddress("2001:db8:1:2:3::4"))
        #expect(one.network(bits: 64) == IPAddress("2001:db8:1:2:ffff::")?.network(bits: 64))
        #expect(one.network(bits: 64) != IPAddress("2001:db8:1:3::")?.network(bits: 64))
    }
}
