internal import Foundation

/// What a sanitizer that the tests run under was told; for children that are given an environment of their own.
package enum SanitizerSettings {
    package static let variables = ProcessInfo.processInfo.environment.filter { name, _ in
        name == "ASAN_OPTIONS" || name == "TSAN_OPTIONS"
    }
}
