package import HealthModel

/// One version of a resource.
package struct FHIRVersion: Sendable {
    /// Nil for a version by which the entry was retracted.
    package var resource: JSONValue?
    package var stamp: Stamp
    package var isFirst: Bool

    package init(_ resource: JSONValue?, _ stamp: Stamp, isFirst: Bool) {
        (self.resource, self.stamp, self.isFirst) = (resource, stamp, isFirst)
    }

    /// The version as an entry of a Bundle of the type `history`.
    package func item(_ type: String, _ id: String, at address: String) -> JSONValue {
        let method = resource == nil ? "DELETE" : isFirst ? "POST" : "PUT"
        return .present([
            "fullUrl": .string(address), "resource": resource,
            "request": ["method": .string(method), "url": .string("\(type)/\(id)")],
            "response": [
                "status": .string(resource == nil ? "410" : isFirst ? "201" : "200"),
                "etag": .string("W/\"\(stamp.position)\""), "lastModified": .time(stamp.recordedAt),
            ],
        ])
    }
}
