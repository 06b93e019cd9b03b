internal import CPlatform
internal import Glibc

/// Writes a result in parts to the destination that an ``OutputFile`` names.
///
/// A regular file is written beside its destination and replaces it in ``finish()``. Without that call, the temporary
/// file is removed and the destination stays unchanged. A writer is used by one task at a time.
package final class OutputWriter {
    private enum Target {
        case file(DurableFile, replacing: String, FileStatus?)
        case stream(Int32)
        case done
    }

    private var target: Target
    private var written = 0
    private let operation: String

    /// Creates a temporary file beside the file that it replaces, or beside the free name.
    init(replacing name: String, _ status: FileStatus?, during operation: String) throws(StorageError) {
        let folder = DurableFile.folder(of: name)
        let beside = "\(folder)/.healthjournal-\(String(UInt64.random(in: 0...UInt64.max), radix: 36))"
        self.operation = operation
        do throws(StorageError) {
            target = .file(try DurableFile(path: beside, mode: .create, adoptsOwner: false), replacing: name, status)
        } catch {
            throw StorageError(error.code, during: operation)
        }
    }

    /// Takes ownership of an open descriptor, or fails with the current `errno` if it is negative.
    init(stream descriptor: Int32, during operation: String) throws(StorageError) {
        guard descriptor >= 0 else { throw StorageError(errno: errno, during: operation) }
        (target, self.operation) = (.stream(descriptor), operation)
    }

    deinit {
        switch target {
        // No caller is left to report to; the file is hidden and has a name of its own.
        case .file(let file, _, _): try? DurableFile.remove(file.path)
        case .stream(let descriptor): close(descriptor)
        case .done: break
        }
    }

    package func write(_ bytes: [UInt8]) throws(StorageError) {
        switch target {
        case .file(let file, _, _):
            do throws(StorageError) {
                try file.write(bytes, at: written, isSynced: false)
            } catch {
                throw StorageError(error.code, during: operation)
            }
            written += bytes.count
        case .stream(let descriptor): try DescriptorWriter.write(bytes, to: descriptor, during: operation)
        case .done: preconditionFailure("the output is finished already")
        }
    }

    /// Syncs a file and renames it into place; closes any other destination.
    package func finish() throws(StorageError) {
        switch target {
        case .file(let file, let name, let status):
            do throws(StorageError) {
                if let status { try keep(status, of: name, file) }
                try file.sync()
                try DurableFile.rename(file.path, to: name)
            } catch {
                throw StorageError(error.code, during: operation)
            }
            target = .done
            // The file is complete and in place; some folders cannot be opened to be synced.
            try? DurableFile.syncFolder(of: name)
        case .stream(let descriptor):
            target = .done
            guard close(descriptor) == 0 else { throw failure }
        case .done: break
        }
    }

    private var failure: StorageError { StorageError(errno: errno, during: operation) }

    // MARK: - Attributes of a replaced file

    /// Gives the new file the owner, access list and mode of the old one, in this order, because a mode may remove
    /// access.
    private func keep(_ status: FileStatus, of name: String, _ file: DurableFile) throws(StorageError) {
        let descriptor = file.descriptor
        if file.status?.owner != status.owner || file.status?.group != status.group {
            guard fchown(descriptor, status.owner, status.group) == 0 else {
                throw StorageError(.foreignOwner, during: operation)
            }
        }
        try keepAccessList(of: name, descriptor)
        guard fchmod(descriptor, mode_t(status.permissions & 0o777)) == 0 else { throw failure }
    }

    private static let accessList = "system.posix_acl_access"

    private func keepAccessList(of name: String, _ descriptor: Int32) throws(StorageError) {
        // The largest value of an extended attribute.
        var list = [UInt8](repeating: 0, count: 1 << 16)
        let count = unsafe list.withUnsafeMutableBytes { buffer in
            unsafe getxattr(name, OutputWriter.accessList, buffer.baseAddress, buffer.count)
        }
        if count > 0 {
            let isSet = unsafe list.withUnsafeBytes { buffer in
                unsafe fsetxattr(descriptor, OutputWriter.accessList, buffer.baseAddress, count, 0) == 0
            }
            guard isSet else { throw failure }
        } else {
            // The new file may have inherited an access list from its folder that the old file did not have.
            guard
                unsafe fremovexattr(descriptor, OutputWriter.accessList) == 0 || [ENODATA, EOPNOTSUPP].contains(errno)
            else { throw failure }
        }
    }
}
