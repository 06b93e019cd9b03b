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
        /// Fails if the file exists; the new directory entry is synced.
        case create
        /// Creates a new file in place of one that an earlier run left; its directory entry is not synced with it.
        case scratch

        fileprivate var makesFile: Bool { self == .create || self == .scratch }
    }

    /// Opens a file.
    ///
    /// Unless `followsLinks`, refuses a symbolic link and anything that is not a file or a folder. A file that root
    /// creates is given to the owner of the file `replacing`, or of the folder, unless `adoptsOwner` is off.
    package init(
        path: String,
        mode: Mode,
        followsLinks: Bool = false,
        adoptsOwner: Bool = true,
        replacing old: String? = nil
    ) throws(StorageError) {
        let flags: Int32 =
            switch mode {
            case .read: O_RDONLY
            case .readWrite: O_RDWR
            case .create, .scratch: O_RDWR | O_CREAT | O_EXCL
            }
        self.path = path
        if mode == .scratch { try DurableFile.remove(path) }
        // Without `O_NONBLOCK`, opening a named pipe would block forever.
        descriptor = unsafe open(path, flags | O_CLOEXEC | O_NONBLOCK | (followsLinks ? 0 : O_NOFOLLOW), 0o600)
        guard descriptor >= 0 else {
            let code = errno
            let isLink = code == ELOOP && !followsLinks
            throw isLink
                ? StorageError(.symbolicLink, during: "open \(path)")
                : StorageError(errno: code, during: "open \(path)")
        }
        guard let status = FileStatus(of: descriptor), status.isFile || status.isFolder else {
            throw StorageError(.notAFile, during: "open \(path)")
        }
        if mode.makesFile, adoptsOwner { Ownership.adopt(descriptor, at: path, replacing: old) }
        if mode == .create { try DurableFile.syncFolder(of: path) }
    }

    deinit {
        close(descriptor)
    }

    package var size: Int {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    }

    /// The filesystem's metadata of the open file.
    package var status: FileStatus? { FileStatus(of: descriptor) }

    /// The identity of the open file, which differs from that of a file that replaces it later.
    package var identity: FileIdentity? { status?.identity }

    /// The identity of the file that has this name now, if there is one.
    package static func identity(of path: String) -> FileIdentity? { FileStatus(of: path)?.identity }

    /// Restricts the file to its owner; throws if other users keep any access.
    package func restrict() throws(StorageError) {
        let isRestricted = fchmod(descriptor, 0o600) == 0
        let code = errno
        guard let status, status.isOpenToOthers else { return }
        throw StorageError(errno: isRestricted ? EPERM : code, during: "make \(path) private")
    }

    /// Reads `count` bytes from `offset`; fewer at the end of the file.
    package func read(at offset: Int, count: Int) throws(StorageError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let read = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe pread(descriptor, buffer.baseAddress.map { unsafe $0 + done }, count - done, offset + done)
            }
            if read < 0, errno == EINTR { continue }
            guard read >= 0 else { throw StorageError(errno: errno, during: "read \(path)") }
            if read == 0 { break }
            done += read
        }
        bytes.removeLast(count - done)
        return bytes
    }

    /// Writes the bytes and waits until they are on the disk, unless `isSynced` is off and `sync` is called later.
    package func write(_ bytes: [UInt8], at offset: Int, isSynced: Bool = true) throws(StorageError) {
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
            guard written > 0 else { throw StorageError(errno: errno, during: "write \(path)") }
            done += written
        }
        if isSynced { try sync() }
    }

    /// Waits until everything that was written is on the disk.
    package func sync() throws(StorageError) {
        guard fsync(descriptor) == 0 else { throw StorageError(errno: errno, during: "sync \(path)") }
    }

    /// Truncates the file, and syncs it.
    package func truncate(to size: Int) throws(StorageError) {
        guard ftruncate(descriptor, off_t(size)) == 0 else {
            throw StorageError(errno: errno, during: "truncate \(path)")
        }
        try sync()
    }

    /// Extends the file to at least `size` bytes, with all of its disk space allocated, and syncs it.
    package func allocate(_ size: Int) throws(StorageError) {
        let status = posix_fallocate(descriptor, 0, off_t(size))
        guard status == 0 else { throw StorageError(errno: status, during: "reserve space in \(path)") }
        try sync()
    }

    /// Drops the file from the page cache, so that the next read comes from the disk.
    package func forget() {
        _ = posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
    }

    /// Runs `body` while this process holds the file's exclusive lock.
    package func locked<Result>(_ body: () throws -> Result) throws -> Result {
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw StorageError(errno: errno, during: "lock \(path)") }
        }
        defer { flock(descriptor, LOCK_UN) }
        return try body()
    }

    /// Runs `body` while this process holds the file's exclusive lock; returns nil if another process holds it.
    ///
    /// The lock belongs to the open file: no other thread may hold it through the same object.
    package func lockedIfAvailable<Result>(_ body: () throws -> Result) throws -> Result? {
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            guard errno == EWOULDBLOCK || errno == EINTR else {
                throw StorageError(errno: errno, during: "lock \(path)")
            }
            return nil
        }
        defer { flock(descriptor, LOCK_UN) }
        return try body()
    }

    /// Replaces a whole file, so that a reader, or a power loss, sees the old one or the new one.
    ///
    /// Only its owner may read it, unless it is public.
    package static func replace(
        _ path: String,
        with bytes: [UInt8],
        isPublic: Bool = false
    ) throws(StorageError) {
        // A unique name, so that concurrent replacements of the file do not write to the same temporary file.
        let beside = "\(path).new-\(String(UInt64.random(in: 0...UInt64.max), radix: 36))"
        do throws(StorageError) {
            let file = try DurableFile(path: beside, mode: .create, replacing: path)
            try file.write(bytes, at: 0)
            if isPublic, fchmod(file.descriptor, 0o644) != 0 {
                throw StorageError(errno: errno, during: "write \(path)")
            }
            try rename(beside, to: path)
        } catch {
            try? remove(beside)
            throw error
        }
        try syncFolder(of: path)
    }

    /// Renames a file, atomically replacing any file of that name.
    package static func rename(_ path: String, to name: String) throws(StorageError) {
        guard unsafe Glibc.rename(path, name) == 0 else { throw StorageError(errno: errno, during: "replace \(name)") }
    }

    /// Reads all bytes of a file; throws `valueTooLarge` if there are more than `limit`.
    package static func read(
        _ path: String,
        atMost limit: Int,
        followsLinks: Bool = false
    ) throws(StorageError) -> [UInt8] {
        let file = try DurableFile(path: path, mode: .read, followsLinks: followsLinks)
        guard file.size <= limit else { throw StorageError(.valueTooLarge, during: "read \(path)") }
        return try file.read(at: 0, count: file.size)
    }

    /// Creates an empty file, unless the file exists.
    package static func makeIfMissing(_ path: String) throws(StorageError) {
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw errno == ELOOP
                ? StorageError(.symbolicLink, during: "create \(path)")
                : StorageError(errno: errno, during: "create \(path)")
        }
        Ownership.adopt(descriptor, at: path)
        close(descriptor)
    }

    /// Removes a file, if it exists.
    package static func remove(_ path: String) throws(StorageError) {
        guard unsafe unlink(path) == 0 || errno == ENOENT else {
            throw StorageError(errno: errno, during: "remove \(path)")
        }
    }

    /// Syncs the folder that contains a file, so that the file's name is durable.
    package static func syncFolder(of path: String) throws(StorageError) {
        let folder = folder(of: path)
        let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw StorageError(errno: errno, during: "open \(folder)") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw StorageError(errno: errno, during: "sync \(folder)") }
    }

    /// Returns the folder that contains a path.
    package static func folder(of path: String) -> String {
        guard let end = path.lastIndex(of: "/") else { return "." }
        return end == path.startIndex ? "/" : String(path[..<end])
    }

    /// Creates a folder that only its owner may enter, durably; an existing one is left unchanged.
    ///
    /// A folder that root creates is given to the owner of the parent folder, unless `adoptsOwner` is off.
    package static func makeFolder(
        _ path: String,
        adoptsOwner: Bool = true,
        isPublic: Bool = false
    ) throws(StorageError) {
        if unsafe mkdir(path, isPublic ? 0o755 : 0o700) == 0 {
            if adoptsOwner { Ownership.adopt(folder: path) }
            return try syncFolder(of: path)
        }
        guard errno == EEXIST else { throw StorageError(errno: errno, during: "create \(path)") }
    }

    /// Returns the names in a folder, sorted; none if the folder does not exist.
    package static func names(in path: String) throws(StorageError) -> [String] {
        guard let folder = unsafe opendir(path) else {
            if errno == ENOENT { return [] }
            throw StorageError(errno: errno, during: "list \(path)")
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

    /// Removes a folder that contains only files, durably, if it exists.
    package static func removeFolder(_ path: String) throws(StorageError) {
        // The link is removed, not the folder that it points to.
        if FileStatus(of: path)?.isLink == true { return try remove(path) }
        // Another process may create a file between the listing and the removal.
        for attempt in 1...8 {
            for name in try names(in: path) { try remove(path + "/" + name) }
            if unsafe rmdir(path) == 0 { return try syncFolder(of: path) }
            if errno == ENOENT { return }
            guard errno == ENOTEMPTY, attempt < 8 else { break }
        }
        throw StorageError(errno: errno, during: "remove \(path)")
    }

    package static func exists(_ path: String) -> Bool {
        unsafe access(path, F_OK) == 0
    }

    /// Whether this user may not see whether a file exists, because a folder on its path is closed to them.
    package static func isHidden(_ path: String) -> Bool {
        unsafe access(path, F_OK) != 0 && errno == EACCES
    }

    /// The permission bits, such as 0o600.
    package static func permissions(of path: String) -> UInt32? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        return UInt32(status.st_mode) & 0o777
    }
}
