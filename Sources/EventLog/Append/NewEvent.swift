/// An event to be appended: what is known of it in clear, and what will be sealed.
package struct NewEvent: Hashable, Sendable {
    package var header: EventHeader
    package var payload: [UInt8]

    package init(header: EventHeader, payload: [UInt8]) {
        self.header = header
        self.payload = payload
    }
}
