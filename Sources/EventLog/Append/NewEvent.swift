/// An event to append: its header is stored in plaintext, its payload is sealed.
package struct NewEvent: Hashable, Sendable {
    package var header: EventHeader
    package var payload: [UInt8]

    package init(header: EventHeader, payload: [UInt8]) {
        self.header = header
        self.payload = payload
    }
}
