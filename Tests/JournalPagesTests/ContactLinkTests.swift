import Testing

@testable import HealthModel
@testable import JournalPages

@Suite("Links to telephone numbers and e-mail addresses")
struct ContactLinkTests {
    private static let phone = FieldPath(fields: [EmergencyContact.phone])
    private static let email = FieldPath(fields: [EmergencyContact.email])

    @Test(
        "A number is dialled as it is written, and one that cannot be read exactly is no link",
        arguments: [
            ("+41 79 555 02 20", "tel:+41795550220"), ("(031) 555-01-10", "tel:0315550110"), ("112", "tel:112"),
            ("+1.202.555.0110", "tel:+12025550110"), ("+41 (0)79 555 02 20", nil), ("031 555 01 10 ext. 4", nil),
            ("12", nil), ("031 555 or 032 555", nil), ("555+1", nil), ("٠٣١ ٥٥٥", nil), ("", nil),
        ]
    )
    func numbers(text: String, link: String?) {
        #expect(ContactLink.of(text, Self.phone) == link)
    }

    @Test(
        "An address is a link if it is one address, and nothing that a mail program reads as more",
        arguments: [
            ("theo@example.org", "mailto:theo@example.org"), ("a.b+c@example.org", "mailto:a.b+c@example.org"),
            ("theo@example.org?bcc=x@example.org", nil), ("theo at example.org", nil), ("a@b, c@d", nil),
        ]
    )
    func addresses(text: String, link: String?) {
        #expect(ContactLink.of(text, Self.email) == link)
    }

    @Test("Other texts are no links")
    func others() {
        #expect(ContactLink.of("112", FieldPath(fields: [EmergencyContact.name])) == nil)
    }
}
