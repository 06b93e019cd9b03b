import Foundation
import TestSupport

/// A simulated disk: the synced content, and the changes that wait for a sync.
///
/// It is stricter than real filesystems: a file's name is on the disk only after its folder was synced, and writes that
/// wait for a sync reach the disk in any order, whole, in sectors, or not at all.
final class Disk {
    /// What a power cut leaves of the changes that were not synced.
    enum Cut: CaseIterable {
        case nothing, everything, someWrites, someSectors
    }

    private final class File {
        /// The content that is on the disk in any case.
        var durable: [UInt8] = []
        var waiting: [Change] = []
        /// The file's size as the program sees it.
        var size = 0
    }

    private enum Change {
        case write(offset: Int, bytes: [UInt8])
        case size(Int)
    }

    private enum Node {
        case file(File)
        case folder(Folder)
    }

    /// A folder keeps its content when it is renamed.
    private final class Folder {
        /// The names as the program sees them.
        var now: [String: Node] = [:]
        var durable: [String: Node] = [:]
        /// The changes of names that the folder's next sync writes to the disk.
        var waiting: [Renaming] = []

        func change(_ renaming: Renaming) {
            renaming.apply(to: &now)
            waiting.append(renaming)
        }
    }

    /// A change of the names in one folder.
    private enum Renaming {
        case put(String, Node)
        case remove(String)
        case move(String, String)

        func apply(to names: inout [String: Node]) {
            switch self {
            case .put(let name, let node): names[name] = node
            case .remove(let name): names[name] = nil
            case .move(let old, let new): if let node = names.removeValue(forKey: old) { names[new] = node }
            }
        }
    }

    private let root = Folder()
    /// The open files of the process, by the numbers that the trace gives them.
    private var numbered: [Int: File] = [:]
    /// Whether a write to a file opened for write-through is on the disk at once; false simulates a disk that ignores
    /// that.
    var writesThrough = true

    /// Starts another process, which has file numbers of its own.
    func beginProcess() {
        numbered = [:]
    }

    // MARK: Program operations

    func take(_ step: Trace.Step) {
        switch step {
        case .open(let number, let path, let isNew, let isEmptied): open(number, path, isNew, isEmptied)
        case .write(let number, let offset, let bytes):
            guard let file = numbered[number] else { return }
            file.size = max(file.size, offset + bytes.count)
            file.waiting.append(.write(offset: offset, bytes: bytes))
        case .wroteThrough(let number, let part):
            guard let file = numbered[number], writesThrough else { return }
            settle(file, part)
        case .sync(let number, let part):
            guard let file = numbered[number] else { return }
            settle(file, part)
        case .syncFailed(let number): numbered[number]?.waiting = []
        case .size(let number, let size):
            numbered[number]?.size = size
            numbered[number]?.waiting.append(.size(size))
        case .rename(let old, let new): rename(old, new)
        case .unlink(let path): folder(around: path)?.change(.remove(Disk.name(of: path)))
        case .makeFolder(let path):
            if path != "." { folder(around: path)?.change(.put(Disk.name(of: path), .folder(Folder()))) }
        case .syncFolder(let path):
            guard let folder = folder(at: path) else { return }
            for renaming in folder.waiting { renaming.apply(to: &folder.durable) }
            folder.waiting = []
        case .said: break
        }
    }

    private func open(_ number: Int, _ path: String, _ isNew: Bool, _ isEmptied: Bool) {
        guard let folder = folder(around: path) else { return }
        if case .file(let file)? = folder.now[Disk.name(of: path)], !isNew {
            numbered[number] = file
            if isEmptied { take(.size(file: number, 0)) }
        } else {
            let file = File()
            numbered[number] = file
            folder.change(.put(Disk.name(of: path), .file(file)))
        }
    }

    private func rename(_ old: String, _ new: String) {
        guard let from = folder(around: old), let to = folder(around: new),
            let node = from.now[Disk.name(of: old)]
        else { return }
        guard from !== to else { return to.change(.move(Disk.name(of: old), Disk.name(of: new))) }
        from.change(.remove(Disk.name(of: old)))
        to.change(.put(Disk.name(of: new), node))
    }

    private static func name(of path: String) -> String {
        String(path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...])
    }

    private func folder(around path: String) -> Folder? {
        folder(at: path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ".")
    }

    /// Returns the folder that has a path now.
    private func folder(at path: String) -> Folder? {
        var found = root
        for name in path.split(separator: "/") where name != "." {
            guard case .folder(let inner)? = found.now[String(name)] else { return nil }
            found = inner
        }
        return found
    }

    /// Writes the waiting changes of a file, or of a part of it, to the disk.
    private func settle(_ file: File, _ part: Range<Int>? = nil) {
        var rest: [Change] = []
        for change in file.waiting {
            guard let part else {
                apply(change, to: &file.durable)
                continue
            }
            guard case .write(let offset, let bytes) = change, part.overlaps(offset..<(offset + bytes.count)) else {
                rest.append(change)
                continue
            }
            // The remainder on either side still waits.
            let range = offset..<(offset + bytes.count)
            let synced = range.clamped(to: part)
            for piece in [range.lowerBound..<synced.lowerBound, synced, synced.upperBound..<range.upperBound] {
                guard !piece.isEmpty else { continue }
                let bytes = Array(bytes[(piece.lowerBound - offset)..<(piece.upperBound - offset)])
                if piece == synced {
                    Disk.put(bytes, piece.lowerBound, &file.durable)
                } else {
                    rest.append(.write(offset: piece.lowerBound, bytes: bytes))
                }
            }
        }
        file.waiting = rest
    }

    private static func put(_ bytes: some Collection<UInt8>, _ offset: Int, _ image: inout [UInt8]) {
        if image.count < offset + bytes.count { resize(&image, to: offset + bytes.count) }
        image.replaceSubrange(offset..<(offset + bytes.count), with: bytes)
    }

    private static func resize(_ image: inout [UInt8], to size: Int) {
        if image.count > size {
            image.removeLast(image.count - size)
        } else {
            image.append(contentsOf: repeatElement(0, count: size - image.count))
        }
    }

    // MARK: Power cut

    /// Writes the content of the disk after a power cut into a folder.
    func write(after cut: Cut, to path: String, _ random: inout SeededGenerator) throws {
        try write(root, after: cut, to: path, &random)
    }

    private func write(_ folder: Folder, after cut: Cut, to path: String, _ random: inout SeededGenerator) throws {
        var names = folder.durable
        // A filesystem keeps the order in which the names of one folder changed.
        let kept =
            switch cut {
            case .nothing: 0
            case .everything: folder.waiting.count
            case .someWrites, .someSectors: Int.random(in: 0...folder.waiting.count, using: &random)
            }
        for renaming in folder.waiting.prefix(kept) { renaming.apply(to: &names) }
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        for (name, node) in names.sorted(by: { $0.key < $1.key }) {
            switch node {
            case .folder(let inner): try write(inner, after: cut, to: path + "/" + name, &random)
            case .file(let file):
                try FileBytes.write(image(of: file, after: cut, &random), to: path + "/" + name)
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path + "/" + name)
            }
        }
    }

    private func image(of file: File, after cut: Cut, _ random: inout SeededGenerator) -> [UInt8] {
        var image = file.durable
        switch cut {
        case .nothing: return image
        case .everything:
            for change in file.waiting { apply(change, to: &image) }
            return image
        case .someWrites:
            for change in file.waiting.shuffled(using: &random) where Bool.random(using: &random) {
                apply(change, to: &image)
            }
        case .someSectors:
            for change in file.waiting.shuffled(using: &random) {
                for piece in sectors(of: change) where Bool.random(using: &random) { apply(piece, to: &image) }
            }
        }
        // The size is independent of the data: zeros where no data arrived, or a size that was not updated.
        switch Int.random(in: 0..<4, using: &random) {
        case 0 where image.count < file.size: Disk.resize(&image, to: file.size)
        case 1 where image.count > file.durable.count:
            Disk.resize(&image, to: Int.random(in: file.durable.count...image.count, using: &random))
        default: break
        }
        return image
    }

    private func apply(_ change: Change, to image: inout [UInt8]) {
        switch change {
        case .write(let offset, let bytes): Disk.put(bytes, offset, &image)
        case .size(let size): Disk.resize(&image, to: size)
        }
    }

    /// Returns the parts of a write that a disk writes whole or not at all.
    private func sectors(of change: Change) -> [Change] {
        guard case .write(let offset, let bytes) = change else { return [change] }
        var pieces: [Change] = []
        var start = offset
        while start < offset + bytes.count {
            let end = min((start / 512 + 1) * 512, offset + bytes.count)
            pieces.append(.write(offset: start, bytes: Array(bytes[(start - offset)..<(end - offset)])))
            start = end
        }
        return pieces
    }
}
