/// A SHA-256 digest as four words in the memory order of its bytes, which needs no heap allocation.
package typealias SHA256Words = SIMD4<UInt64>
