/// A SHA-256 digest as four words, in the order in which its bytes lie in memory: no storage of its own to allocate.
package typealias SHA256Words = SIMD4<UInt64>
