import FoundationEssentials
import Testing

@testable import HealthModel

@Suite("Name-based UUIDs")
struct NameBasedIdTests {
    /// Compares the result with the example in RFC 9562, appendix A.4.
    @Test("A name-based UUID matches the example in RFC 9562")
    func standardExample() throws {
        let dns = try #require(UUID(uuidString: "6ba7b810-9dad-11d1-80b4-00c04fd430c8"))
        #expect(UUID(nameBased: dns, "www.example.com").text == "2ed6657d-e927-568b-95e1-2665a8aea6a2")
        #expect(UUID(nameBased: dns, Array("www.example.com".utf8)).text == "2ed6657d-e927-568b-95e1-2665a8aea6a2")
        #expect(UUID(nameBased: dns, "www.example.org") != UUID(nameBased: dns, "www.example.com"))
    }

    @Test("A UUID is created only from exactly 16 bytes, and its text is lowercase")
    func bytesRoundTrip() {
        let id = Example.id(200)
        #expect(UUID(bytes: id.bytes) == id)
        #expect(UUID(bytes: id.bytes.dropLast()) == nil)
        #expect(UUID(bytes: id.bytes + [0]) == nil)
        #expect(id.text == "c8000000-0000-4000-8000-0000000000c8")
    }
}
