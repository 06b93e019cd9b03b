internal import Glibc

/// How a process ended.
enum Ending {
    case exited(Int32)
    case killed(signal: Int32)

    /// Waits for a child and reaps it; nil if there is no such child.
    init?(of child: pid_t) {
        var status: Int32 = 0
        var answer = unsafe waitpid(child, &status, 0)
        while answer == -1, errno == EINTR { answer = unsafe waitpid(child, &status, 0) }
        guard answer == child else { return nil }
        let signal = status & 0x7F
        self = signal == 0 ? .exited((status >> 8) & 0xFF) : .killed(signal: signal)
    }

    /// The exit status, or the signal as a negative number.
    var status: Int32 {
        switch self {
        case .exited(let status): status
        case .killed(let signal): -signal
        }
    }
}
