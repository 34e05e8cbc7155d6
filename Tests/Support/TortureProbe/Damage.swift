import Foundation
import TortureLedger

/// A change of a file's bytes.
struct Damage: CustomStringConvertible {
    let isInLog: Bool
    private let kind: Kind

    private enum Kind {
        case flip(at: Int, by: UInt8)
        case cut(to: Int)
    }

    /// Returns mostly one changed byte of the file; one time in eight of the log, one time in eight a missing end.
    static func random(_ template: DamageTemplate, using random: inout SplitMix64) -> Damage {
        let isInLog = Int.random(in: 0..<8, using: &random) == 0
        let count = (isInLog ? template.log : template.file).count
        let offset = Int.random(in: 0..<count, using: &random)
        let isCut = Int.random(in: 0..<8, using: &random) == 0
        return Damage(
            isInLog: isInLog,
            kind: isCut ? .cut(to: offset) : .flip(at: offset, by: UInt8.random(in: 1...255, using: &random)))
    }

    func apply(_ whole: Data) -> Data {
        var bytes = whole
        switch kind {
        case .flip(let offset, let pattern): bytes[offset] ^= pattern
        case .cut(let count): bytes = bytes.prefix(count)
        }
        return bytes
    }

    var description: String {
        switch kind {
        case .flip(let offset, let pattern): "\(isInLog ? "log" : "file") byte \(offset) xor \(pattern)"
        case .cut(let count): "\(isInLog ? "log" : "file") cut to \(count) bytes"
        }
    }
}
