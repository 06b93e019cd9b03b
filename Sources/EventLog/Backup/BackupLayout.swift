/// Where the parts of a backup lie, and what they look like.
///
/// Integers are little-endian. This is format version 1, and does not change.
///
///     manifest        what the backup is: a note signed by the journal's checkpoint key, replaced as a whole, last
///     contents-D      the files of segments/ and blobs/; D is its own SHA-256, which the manifest names
///     segments/F-L    the frames of positions F to L, each number of 20 digits:
///                     "HJFRAME1", journal id (16), F u64, then each frame as [length u32][frame as stored]
///     keys            the journal's key file, slot by slot; a key that was erased is overwritten here too
///     blobs/S/N       attachment N of subject S, as it lies in the journal
///     lock            held while a backup is made
///
/// What the manifest does not lead to is what a run that was cut off has left. The manifest, a fact a line, in this order:
///
///     healthjournal-backup/1
///     journal <id>
///     description <base64: what the journal says of itself>
///     verifier <the public key of its checkpoints>
///     checkpoint <a line of the signed checkpoint>        one for each of its lines
///     keys <bytes of the key file>
///     contents <SHA-256>
///
/// And the contents:
///
///     segment <F>-<L> <bytes>                             in order, from 1 to the checkpoint's size, without a gap
///     blob <S>/<N> <bytes> <changed, ns> <SHA-256>        sorted by name
enum BackupLayout {
    static let manifest = "manifest"
    static let contents = "contents-"
    static let segments = "segments"
    static let keys = "keys"
    static let blobs = "blobs"
    static let lock = "lock"
    /// Ends the name of a file that is not whole yet.
    static let unfinished = ".part"

    static let title = "healthjournal-backup/1"
    static let segmentMagic = Array("HJFRAME1".utf8)
    static let segmentHeader = 32

    /// A segment is ended by the frame that brings it here.
    static let segmentBytes = 16 << 20
    /// The longest that a segment can be.
    static let maximumSegmentBytes = segmentBytes + maximumFrame + 4
    static let maximumFrame = FrameLayout.overhead + FrameLayout.maximumPayload
    /// A last segment below this is copied again with what is new, so that frequent backups do not make a file each.
    static let foldedBytes = 64 << 10
    static let maximumManifestBytes = SignedNote.maximumBytes
    static let maximumContentsBytes = 256 << 20
    /// Bytes of a file that are copied at once.
    static let chunkBytes = 1 << 20
}
