import Foundation

/// libFuzzer calls this with every input. `YAP_FUZZ_TARGET` selects the target.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let bytes = UnsafeRawBufferPointer(start: start, count: count)
    switch target {
    case .pages: FileCheck.checkPages(bytes)
    case .file: FileCheck.check(bytes)
    case .coding: CodingCheck.check(bytes)
    default: DecodingCheck.check(bytes, as: target.formats)
    }
    return 0
}

enum FuzzTarget: String, CaseIterable {
    case chain, archive, plist, xml, json, protobuf, gzip, timestamp, pages, file, coding
}

private let target: FuzzTarget = {
    let name = ProcessInfo.processInfo.environment["YAP_FUZZ_TARGET"] ?? "chain"
    guard let target = FuzzTarget(rawValue: name) else {
        fatalError(
            "There is no target \(name). There are: \(FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")).")
    }
    return target
}()
