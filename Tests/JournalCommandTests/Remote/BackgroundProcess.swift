import Glibc
import TestSupport
import Testing

/// A program that runs beside a test, from its first line of output on; stopped when the test lets go of it.
final class BackgroundProcess: Sendable {
    let firstLine: String
    private let id: pid_t

    /// Runs a program as a tool is run.
    init(_ tool: CommandLineTool, _ command: [String]) throws {
        let output = tool.folder.path + "/background-\(UInt64.random(in: 0...UInt64.max)).out"
        try FileBytes.write([], to: output)
        // Ended at the latest after ten minutes, should the test not come to that. What the shell inherits is closed:
        // else whoever waits for the shell waits for the program too.
        let script = #"""
            for file in /proc/$$/fd/*; do file=${file##*/}; if [ $file -gt 2 ]; then eval "exec $file>&-"; fi; done
            timeout 600 "$@" >"$0" 2>&1 </dev/null & echo $!
            """#
        let started = try tool.run("/bin/bash", ["-c", script, output] + command)
        let id = try #require(pid_t(started.succeeded().text.filter(\.isNumber)))
        var said = ""
        while !said.contains("\n") {
            usleep(10_000)
            said = String(decoding: try FileBytes.read(output), as: UTF8.self)
            try #require(kill(id, 0) == 0, "it did not start: \(said)")
        }
        self.id = id
        firstLine = String(said.prefix { $0 != "\n" })
    }

    deinit { kill(id, SIGTERM) }
}
