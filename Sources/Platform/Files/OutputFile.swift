internal import Glibc

/// The destination that the user named for a result, such as an export or a proof.
///
/// - A regular file, or a name that is free: the bytes are written to a temporary file beside it, synced, and renamed
///   into place, so that a reader sees the old file or the new one. An existing file keeps its mode, owner and access
///   list; a new one is readable only by its owner.
/// - A symbolic link: the same, at the target of the link, whether or not the target exists.
/// - A device, pipe or socket, and `/dev/stdout` and the like: it is opened and written to.
/// - A folder: an error.
package struct OutputFile: Sendable {
    package let path: String

    /// The kind of destination that a path leads to.
    private enum Destination {
        case file(path: String, FileStatus?)
        case stream(path: String)
        case socket(path: String)
        case descriptor(Int32)
    }

    /// Checks whether the destination can be written to, so that a command can refuse before it does anything.
    package init(_ path: String) throws(StorageError) {
        self.path = path
        if case .file(let name, let status) = try destination() { try requireReplaceable(name, status) }
    }

    package func write(_ bytes: [UInt8]) throws(StorageError) {
        let writer = try writer()
        try writer.write(bytes)
        try writer.finish()
    }

    /// Begins to write a result in parts.
    ///
    /// A file is replaced when the writer finishes; until then it stays unchanged.
    package func writer() throws(StorageError) -> OutputWriter {
        switch try destination() {
        case .file(let name, let status):
            try requireReplaceable(name, status)
            return try OutputWriter(replacing: name, status, during: operation)
        case .stream(let name):
            let descriptor = unsafe open(name, O_WRONLY | O_NOCTTY | O_CLOEXEC)
            return try OutputWriter(stream: descriptor, during: operation)
        case .socket(let name): return try OutputWriter(stream: try connect(to: name), during: operation)
        case .descriptor(let number): return try OutputWriter(stream: dup(number), during: operation)
        }
    }

    private var operation: String { "write \(path)" }

    private func failure(_ code: StorageError.Code) -> StorageError { StorageError(code, during: operation) }

    private var failure: StorageError { StorageError(errno: errno, during: operation) }

    // MARK: - Resolving the destination

    /// The maximum number of links that the kernel follows.
    private static let maximumLinks = 40

    private func destination() throws(StorageError) -> Destination {
        guard !path.isEmpty else { throw StorageError(errno: ENOENT, during: "write a file without a name") }
        var name = path
        for _ in 0...OutputFile.maximumLinks {
            if let number = OutputFile.descriptor(named: name) { return .descriptor(number) }
            guard let status = FileStatus(of: name) else {
                guard errno == ENOENT else { throw failure }
                if name.hasSuffix("/") { throw failure(.isFolder) }
                return .file(path: name, nil)
            }
            guard status.isLink else {
                try refusePlanted(status, at: name)
                return try destination(name, status)
            }
            try refusePlanted(status, at: name)
            name = try target(of: name)
        }
        throw StorageError(errno: ELOOP, during: operation)
    }

    private func destination(_ name: String, _ status: FileStatus) throws(StorageError) -> Destination {
        if status.isFolder { throw failure(.isFolder) }
        if status.isFile { return .file(path: name, status) }
        return status.isSocket ? .socket(path: name) : .stream(path: name)
    }

    /// Returns the target of a link: an absolute path, or a path relative to the folder of the link.
    private func target(of link: String) throws(StorageError) -> String {
        var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe buffer.withMemoryRebound(to: CChar.self) { text in
                unsafe text.baseAddress.map { unsafe readlink(link, $0, text.count) } ?? -1
            }
        }
        guard count > 0 else { throw failure }
        let target = String(decoding: bytes.prefix(count), as: UTF8.self)
        if target.hasPrefix("/") { return target }
        let folder = DurableFile.folder(of: link)
        return (folder == "/" ? "" : folder) + "/" + target
    }

    /// Returns the open file descriptor of this process that a path names.
    ///
    /// Opening the path again would start at offset 0 and overwrite existing content: `/dev/stdout` may be a file that
    /// others append to.
    private static func descriptor(named path: String) -> Int32? {
        switch path {
        case "/dev/stdout": return STDOUT_FILENO
        case "/dev/stderr": return STDERR_FILENO
        default:
            for folder in ["/dev/fd/", "/proc/self/fd/"] where path.hasPrefix(folder) {
                return Int32(path.dropFirst(folder.count))
            }
            return nil
        }
    }

    /// Refuses a file or link that another user created in a folder where everybody may create files, such as /tmp.
    ///
    /// The kernel enforces the same rule (`fs.protected_symlinks`, `fs.protected_regular`, `fs.protected_fifos`), but
    /// not for links that a program resolves itself.
    private func refusePlanted(_ status: FileStatus, at name: String) throws(StorageError) {
        guard let folder = FileStatus(following: DurableFile.folder(of: name)), folder.permissions & 0o1002 == 0o1002,
            status.owner != User.effective, status.owner != folder.owner
        else { return }
        throw failure(.foreignOwner)
    }

    // MARK: - Files

    private func requireReplaceable(_ name: String, _ status: FileStatus?) throws(StorageError) {
        if let status {
            guard unsafe faccessat(AT_FDCWD, name, W_OK, AT_EACCESS) == 0 else { throw failure }
            // Only root can give the new file to the owner of the old one.
            guard status.owner == User.effective || User.effective == 0 else { throw failure(.foreignOwner) }
        }
        let folder = DurableFile.folder(of: name)
        guard let around = FileStatus(following: folder) else { throw failure }
        guard around.isFolder else { throw StorageError(errno: ENOTDIR, during: operation) }
        guard unsafe faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS) == 0 else { throw failure }
    }

    // MARK: - Sockets

    private func connect(to name: String) throws(StorageError) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(name.utf8)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard bytes.count < room else { throw StorageError(errno: ENAMETOOLONG, during: operation) }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw failure }
        let isConnected = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard isConnected else {
            let error = failure
            close(descriptor)
            throw error
        }
        return descriptor
    }
}
