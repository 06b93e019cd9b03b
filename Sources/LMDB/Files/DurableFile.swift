internal import Glibc

/// A file whose writes are on the disk when they return.
///
/// For the few small files beside the databases: keys, and the journal's own description.
package final class DurableFile: Sendable {
    package let path: String
    let descriptor: Int32

    /// How a file is opened.
    package enum Mode: Sendable {
        case read
        case readWrite
        /// Fails if there is a file already; its name is durable too.
        case create
        /// Made or emptied; its name is not durable before its folder is synced.
        case scratch
    }

    package init(path: String, mode: Mode) throws(LMDBError) {
        let flags: Int32 =
            switch mode {
            case .read: O_RDONLY
            case .readWrite: O_RDWR
            case .create: O_RDWR | O_CREAT | O_EXCL
            case .scratch: O_RDWR | O_CREAT | O_TRUNC
            }
        self.path = path
        descriptor = unsafe open(path, flags | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw LMDBError(status: errno, during: "open \(path)") }
        if mode == .create { try DurableFile.syncFolder(of: path) }
    }

    deinit {
        close(descriptor)
    }

    package var size: Int {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    }

    /// What distinguishes this file from one that was put in its place later.
    package var identity: UInt64 {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 ? UInt64(status.st_ino) : 0
    }

    /// The identity of the file that has this name now, or 0.
    package static func identity(of path: String) -> UInt64 {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? UInt64(status.st_ino) : 0
    }

    /// The bytes from `offset` on; fewer at the file's end.
    package func read(at offset: Int, count: Int) throws(LMDBError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let read = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe pread(descriptor, buffer.baseAddress.map { unsafe $0 + done }, count - done, offset + done)
            }
            if read < 0, errno == EINTR { continue }
            guard read >= 0 else { throw LMDBError(status: errno, during: "read \(path)") }
            if read == 0 { break }
            done += read
        }
        bytes.removeLast(count - done)
        return bytes
    }

    /// Writes the bytes and waits until they are on the disk, unless `sync` is to do that later.
    package func write(_ bytes: [UInt8], at offset: Int, isSynced: Bool = true) throws(LMDBError) {
        var done = 0
        while done < bytes.count {
            let written = unsafe bytes.withUnsafeBytes { buffer in
                unsafe pwrite(
                    descriptor,
                    buffer.baseAddress.map { unsafe $0 + done },
                    bytes.count - done,
                    offset + done
                )
            }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw LMDBError(status: errno, during: "write \(path)") }
            done += written
        }
        if isSynced { try sync() }
    }

    /// Waits until all that was written is on the disk.
    package func sync() throws(LMDBError) {
        guard fsync(descriptor) == 0 else { throw LMDBError(status: errno, during: "sync \(path)") }
    }

    /// Cuts the file off, durably.
    package func truncate(to size: Int) throws(LMDBError) {
        guard ftruncate(descriptor, off_t(size)) == 0 else { throw LMDBError(status: errno, during: "shorten \(path)") }
        try sync()
    }

    /// Lets go of what memory holds of the file, so that what is read next comes from the disk.
    package func forget() {
        _ = posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
    }

    /// Runs `body` while no other process holds this file's lock.
    package func locked<Result>(_ body: () throws -> Result) throws -> Result {
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw LMDBError(status: errno, during: "lock \(path)") }
        }
        defer { flock(descriptor, LOCK_UN) }
        return try body()
    }

    /// Puts a whole file in the place of another, so that a reader or a power cut sees the old one or the new one.
    package static func replace(_ path: String, with bytes: [UInt8]) throws(LMDBError) {
        // A name of its own, so that two who replace the file at once do not write into each other's.
        let beside = "\(path).new-\(String(UInt64.random(in: 0...UInt64.max), radix: 36))"
        do throws(LMDBError) {
            let file = try DurableFile(path: beside, mode: .create)
            try file.write(bytes, at: 0)
            try rename(beside, to: path)
        } catch {
            try? remove(beside)
            throw error
        }
        try syncFolder(of: path)
    }

    /// Gives a file another's name; that one is gone in the same moment.
    package static func rename(_ path: String, to name: String) throws(LMDBError) {
        guard unsafe Glibc.rename(path, name) == 0 else { throw LMDBError(status: errno, during: "replace \(name)") }
    }

    /// All bytes of a file.
    package static func read(_ path: String, atMost limit: Int) throws(LMDBError) -> [UInt8] {
        let file = try DurableFile(path: path, mode: .read)
        guard file.size <= limit else { throw LMDBError(.valueTooLarge, during: "read \(path)") }
        return try file.read(at: 0, count: file.size)
    }

    /// Makes an empty file, unless there is one.
    package static func makeIfMissing(_ path: String) throws(LMDBError) {
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw LMDBError(status: errno, during: "make \(path)") }
        close(descriptor)
    }

    /// Removes a file, if it is there.
    package static func remove(_ path: String) throws(LMDBError) {
        guard unsafe unlink(path) == 0 || errno == ENOENT else {
            throw LMDBError(status: errno, during: "remove \(path)")
        }
    }

    /// Makes the names in a file's folder durable.
    package static func syncFolder(of path: String) throws(LMDBError) {
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        let descriptor = unsafe open(folder.isEmpty ? "/" : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw LMDBError(status: errno, during: "open \(folder)") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw LMDBError(status: errno, during: "sync \(folder)") }
    }

    /// Makes a folder that only its owner may enter, durably; one that exists is left as it is.
    package static func makeFolder(_ path: String) throws(LMDBError) {
        if unsafe mkdir(path, 0o700) == 0 { return try syncFolder(of: path) }
        guard errno == EEXIST else { throw LMDBError(status: errno, during: "make \(path)") }
    }

    /// The names in a folder, sorted; none if there is no such folder.
    package static func names(in path: String) throws(LMDBError) -> [String] {
        guard let folder = unsafe opendir(path) else {
            if errno == ENOENT { return [] }
            throw LMDBError(status: errno, during: "list \(path)")
        }
        defer { unsafe closedir(folder) }
        var names: [String] = []
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Removes a folder that holds files only, durably, if it is there.
    package static func removeFolder(_ path: String) throws(LMDBError) {
        // Somebody may put a file there between the listing and the removal.
        for attempt in 1...8 {
            for name in try names(in: path) { try remove(path + "/" + name) }
            if unsafe rmdir(path) == 0 { return try syncFolder(of: path) }
            if errno == ENOENT { return }
            guard errno == ENOTEMPTY, attempt < 8 else { break }
        }
        throw LMDBError(status: errno, during: "remove \(path)")
    }

    package static func exists(_ path: String) -> Bool {
        unsafe access(path, F_OK) == 0
    }

    /// The permission bits, as 0o600.
    package static func permissions(of path: String) -> UInt32? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        return UInt32(status.st_mode) & 0o777
    }
}
