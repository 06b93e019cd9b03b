internal import FuzzTargets
internal import Foundation

/// The entry point of libFuzzer; HEALTHJOURNAL_FUZZ_TARGET names the target that receives the bytes.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    unsafe target.run(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}

private let target: FuzzTarget = {
    let name = ProcessInfo.processInfo.environment["HEALTHJOURNAL_FUZZ_TARGET"] ?? ""
    guard let target = FuzzTarget.named(name) else {
        fatalError("HEALTHJOURNAL_FUZZ_TARGET names one of: \(FuzzTarget.all.map(\.name).joined(separator: " "))")
    }
    return target
}()
