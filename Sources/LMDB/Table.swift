/// A named table of an environment: rows of bytes in the order of their keys.
package struct Table: Hashable, Sendable {
    let identifier: UInt32
}
