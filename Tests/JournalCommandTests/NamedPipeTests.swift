import Foundation
import TestSupport
import Testing

@Suite("Named pipes as input", .timeLimit(.minutes(10)))
struct NamedPipeTests {
    @Test("A pipe in a folder is refused, one without data where a file must be is refused, and nothing hangs")
    func refused() throws {
        let tool = try CommandLineTool()
        let folder = tool.folder.path + "/export"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        _ = try tool.write(#"{"resourceType": "Patient", "id": "p", "name": [{"family": "A"}]}"#, to: "export/a.ndjson")
        #expect(FileNode.makePipe(folder + "/b.ndjson"))
        let walked = try tool.run("import", "fhir", folder)
        #expect(walked.status == 1 && walked.message.contains("b.ndjson is not a regular file"), "\(walked.message)")
        // A link to a pipe is one as well.
        try FileManager.default.moveItem(atPath: folder + "/b.ndjson", toPath: tool.folder.path + "/pipe")
        try FileManager.default.createSymbolicLink(
            atPath: folder + "/b.ndjson",
            withDestinationPath: tool.folder.path + "/pipe"
        )
        #expect(try tool.run("import", "fhir", folder).status == 1)
        try FileManager.default.removeItem(atPath: folder + "/b.ndjson")
        try tool.run("import", "fhir", folder).succeeded()
        // An export of Apple Health is read at several places, which a pipe does not allow.
        let record = try tool.person()
        #expect(try tool.run("import", "apple", tool.folder.path + "/pipe", "--record", record).status == 1)
    }

    @Test("A pipe that is named as the document is read, as process substitution in a shell needs it")
    func named() throws {
        let tool = try CommandLineTool()
        let pipe = tool.folder.path + "/pipe"
        #expect(FileNode.makePipe(pipe))
        let writer = Thread {
            let text = #"{"resourceType": "Patient", "id": "p", "name": [{"family": "A"}]}"#
            try? FileHandle(forWritingTo: URL(filePath: pipe)).write(contentsOf: Data(text.utf8))
        }
        writer.start()
        try tool.run("import", "fhir", pipe).succeeded()
    }
}
