internal import CPlatform

/// The memory of this process.
package enum Memory {
    /// Returns memory that was freed to the system, which the allocator would keep for later.
    ///
    /// For after hundreds of megabytes were freed: the allocator looks through all that it holds, of all threads. Memory that one
    /// thread freed is otherwise not used again for what another one allocates.
    package static func returnFreed() {
        malloc_trim(0)
    }
}
