/// Which run of the kernel this is.
///
/// What was written unsynced under another one may be torn.
package enum Boot {
    package static let id: [UInt8] = (try? DurableFile.read(sized: "/proc/sys/kernel/random/boot_id", count: 36)) ?? []
}

extension DurableFile {
    /// A file of /proc says that it has no size.
    fileprivate static func read(sized path: String, count: Int) throws(LMDBError) -> [UInt8] {
        try DurableFile(path: path, mode: .read).read(at: 0, count: count)
    }
}
