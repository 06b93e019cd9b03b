import Foundation
import Testing

@testable import JournalPages

@Suite("Files of the pages")
struct AssetTests {
    /// What a browser reads of a manifest.
    private struct Manifest: Decodable {
        struct Icon: Decodable {
            let src, sizes, type: String
        }

        let start_url, scope, display: String
        let icons: [Icon]
    }

    @Test("The manifest names icons that are served, in the sizes that it states")
    func manifest() throws {
        let manifest = try JSONDecoder().decode(Manifest.self, from: Data(Asset.manifest.bytes))
        #expect(manifest.display == "standalone")
        #expect(manifest.start_url.hasPrefix(manifest.scope))
        #expect(manifest.icons.count == 3)
        for icon in manifest.icons {
            let asset = try #require(Asset.all.first { $0.address == icon.src })
            #expect(asset.mediaType == icon.type)
            if icon.type == "image/png" { #expect(icon.sizes == Self.size(ofPNG: asset.bytes)) }
        }
        #expect(Self.size(ofPNG: Asset.touchIcon.bytes) == "180x180")
    }

    /// The width and the height in the header of a PNG file.
    private static func size(ofPNG bytes: [UInt8]) -> String {
        let sides = [16, 20].map { start in bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
        return "\(sides[0])x\(sides[1])"
    }
}
