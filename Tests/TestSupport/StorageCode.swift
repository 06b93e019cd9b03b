package import Platform

/// Returns the code of the `StorageError` that `body` throws, or nil.
package func storageCode(_ body: () throws -> Void) -> StorageError.Code? {
    do {
        try body()
        return nil
    } catch {
        return (error as? StorageError)?.code
    }
}
