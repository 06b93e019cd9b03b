internal import CSpawn
internal import Foundation
internal import Glibc

/// A program to be started with no signal blocked or ignored.
///
/// Of the open files of this process it inherits only its input and outputs. All others are closed, because Foundation
/// opens files without close-on-exec, and a program that held such a file would keep its space on the disk.
struct Spawn {
    private let program: String
    private let arguments: [String]
    private let variables: [String]

    struct Failure: Error {
        let program: String
        let code: Int32
    }

    /// Ignores SIGPIPE, so that writing to a child that has ended does not end this process.
    private static let ignoresBrokenPipes: Void = { _ = signal(SIGPIPE, SIG_IGN) }()

    init(_ program: String, _ arguments: [String], _ variables: [String: String]?) {
        self.program = program
        self.arguments = [program] + arguments
        self.variables = (variables ?? ProcessInfo.processInfo.environment).map { "\($0)=\($1)" }
        _ = Spawn.ignoresBrokenPipes
    }

    /// Starts the program; without `messages` it shares the standard error of this process.
    func run(input: Int32, output: Int32, messages: Int32?) throws -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawnattr_init(&attributes)
        defer {
            unsafe posix_spawn_file_actions_destroy(&actions)
            unsafe posix_spawnattr_destroy(&attributes)
        }
        unsafe posix_spawn_file_actions_adddup2(&actions, input, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
        if let messages { unsafe posix_spawn_file_actions_adddup2(&actions, messages, 2) }
        unsafe posix_spawn_file_actions_addclosefrom_np(&actions, 3)

        var (none, all) = (sigset_t(), sigset_t())
        unsafe sigemptyset(&none)
        unsafe sigfillset(&all)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setsigdefault(&attributes, &all)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        let words = unsafe arguments.map { unsafe strdup($0) } + [nil]
        let settings = unsafe variables.map { unsafe strdup($0) } + [nil]
        defer {
            for index in unsafe words.indices { unsafe free(words[index]) }
            for index in unsafe settings.indices { unsafe free(settings[index]) }
        }
        var child: pid_t = 0
        let code = unsafe posix_spawn(&child, program, &actions, &attributes, words, settings)
        guard code == 0 else { throw Failure(program: program, code: code) }
        return child
    }
}
