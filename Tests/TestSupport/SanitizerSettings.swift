internal import Foundation

/// The settings of the sanitizer that the tests run under, for children that get an environment of their own.
package enum SanitizerSettings {
    package static let variables = ProcessInfo.processInfo.environment.filter { name, _ in
        name == "ASAN_OPTIONS" || name == "TSAN_OPTIONS"
    }
}
