/// The files of a backup and their formats.
///
/// Integers are little-endian. This is format version 1, and it does not change.
///
///     manifest        describes the backup: a note signed by the journal's checkpoint key, replaced atomically, last
///     contents-D      lists the files of segments/ and blobs/; D is its own SHA-256, which the manifest names
///     segments/F-L    the frames of positions F to L, each number of 20 digits:
///                     "HJFRAME1", journal id (16), F u64, then each frame as [length u32][frame as stored]
///     keys            the journal's key file, slot by slot; an erased key is overwritten here too
///     blobs/S/N       attachment N of subject S, as it is stored in the journal
///     lock            locked while a backup is made or restored
///
/// Files that the manifest does not lead to were left by an interrupted run. The manifest has these lines, in this
/// order:
///
///     healthjournal-backup/1
///     journal <id>
///     description <base64: the journal's description>
///     verifier <the public key of its checkpoints>
///     checkpoint <a line of the signed checkpoint>        one for each of its lines
///     keys <bytes of the key file>
///     contents <SHA-256>
///
/// The contents list has these lines:
///
///     segment <F>-<L> <bytes>                             in order, from 1 to the checkpoint's size, without a gap
///     blob <S>/<N> <bytes> <modified, ns> <SHA-256>       sorted by path
enum BackupLayout {
    static let manifest = "manifest"
    static let contents = "contents-"
    static let segments = "segments"
    static let keys = "keys"
    static let blobs = "blobs"
    static let lock = "lock"
    /// The suffix of a file that is not complete yet.
    static let unfinished = ".part"

    static let title = "healthjournal-backup/1"
    static let segmentMagic = Array("HJFRAME1".utf8)
    static let segmentHeader = 32

    /// A segment ends with the frame that brings its length to this value.
    static let segmentBytes = 16 << 20
    /// The maximum length of a segment.
    static let maximumSegmentBytes = segmentBytes + maximumFrame + 4
    static let maximumFrame = FrameLayout.overhead + FrameLayout.maximumPayload
    /// A last segment that is shorter is copied again with the new events, so that frequent backups do not add a file
    /// each.
    static let foldedBytes = 64 << 10
    static let maximumManifestBytes = SignedNote.maximumBytes
    static let maximumContentsBytes = 256 << 20
    /// Bytes of a file that are copied at once.
    static let chunkBytes = 1 << 20
}
