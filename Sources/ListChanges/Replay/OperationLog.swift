/// The operations of a view, in order, in 16 bytes each. Groups and rows are numbers of lists.
///
/// A ``RawOperation`` takes 72 bytes, and a transaction of 100,000 rows with ten lists has a million of them until all who follow the lists
/// have seen the commit.
///
/// A reference, because a log is handed on several times in each commit. Only the transaction that made it appends to it.
package final class OperationLog: @unchecked Sendable {
    // @unchecked: the transaction appends on its own thread. The commit, with which others get the log, is published when it has ended.
    enum Kind: UInt8 {
        case insertSection, deleteSection, resetSection, insertRow, deleteRow, updateRow
    }

    /// An operation by numbers.
    struct Step {
        let kind: Kind
        /// The place of the group in `groups`.
        let group: UInt32
        /// The number of the row in `keys`; 0 for a section operation.
        var key: UInt32 = 0
        var index = 0
        var flags: ChangeFlags = []
    }

    /// A step whose numbers fit, which is any that a view makes. Of another one, the index is its place in `oversized`.
    private struct PackedStep {
        private let group: UInt32
        private let key: UInt32
        /// From the lowest bit: the kind (4 bits), the flags (8 bits), and the index.
        private let rest: UInt64

        private static let (kindBits, flagBits) = (4, 8)
        private static let kindMask = UInt64(1) << kindBits - 1
        private static let oversized = kindMask
        private static let indexLimit = 1 << 48

        init?(_ step: Step) {
            guard (0..<Self.indexLimit).contains(step.index), let flags = UInt8(exactly: step.flags.rawValue) else {
                return nil
            }
            self.init(step.group, step.key, UInt64(step.kind.rawValue), UInt64(flags), step.index)
        }

        init(oversized place: Int) { self.init(0, 0, Self.oversized, 0, place) }

        private init(_ group: UInt32, _ key: UInt32, _ kind: UInt64, _ flags: UInt64, _ index: Int) {
            (self.group, self.key) = (group, key)
            rest = kind | flags << Self.kindBits | UInt64(index) << (Self.kindBits + Self.flagBits)
        }

        /// Nil of one that is oversized.
        var kind: Kind? { Kind(rawValue: UInt8(truncatingIfNeeded: rest & Self.kindMask)) }

        var index: Int { Int(rest >> (Self.kindBits + Self.flagBits)) }

        /// Nil of one that is oversized.
        var step: Step? {
            guard let kind else { return nil }
            let flags = ChangeFlags(rawValue: Int(UInt8(truncatingIfNeeded: rest >> Self.kindBits)))
            return Step(kind: kind, group: group, key: key, index: index, flags: flags)
        }
    }

    // Unchecked, here and below: no body that changes one of them runs other code.
    @exclusivity(unchecked) private var steps: [PackedStep] = []
    @exclusivity(unchecked) private var oversized: [Step] = []
    /// The groups that operations name, in the order in which they come first.
    @exclusivity(unchecked) package private(set) var groups: [String] = []
    /// The places of the groups, once there are more than a few.
    @exclusivity(unchecked) private var places: ExactDictionary<UInt32>?
    @exclusivity(unchecked) private var latest: UInt32 = 0
    package let keys: RowKeyList
    private let isFixed: Bool
    private static let few = 4
    package static let bytesOfOperation = MemoryLayout<PackedStep>.stride

    /// - Parameter keys: the list of the transaction.
    package convenience init(keys: RowKeyList = RowKeyList()) { self.init(keys, isFixed: false) }

    private init(_ keys: RowKeyList, isFixed: Bool) { (self.keys, self.isFixed) = (keys, isFixed) }

    /// The log of a view that does not change.
    package static let empty = OperationLog(RowKeyList(), isFixed: true)

    package convenience init(_ operations: some Sequence<RawOperation>) {
        self.init()
        reserveCapacity(operations.underestimatedCount)
        for operation in operations { append(operation) }
    }
}

extension OperationLog {
    package func append(_ operation: RawOperation) {
        switch operation {
        case .insertSection(let group): append(Step(kind: .insertSection, group: place(of: group)))
        case .deleteSection(let group): append(Step(kind: .deleteSection, group: place(of: group)))
        case .resetSection(let group): append(Step(kind: .resetSection, group: place(of: group)))
        case .insertRow(let group, let index, let key): appendInsertion(of: keys.number(of: key), at: index, in: group)
        case .deleteRow(let group, let index, let key):
            append(Step(kind: .deleteRow, group: place(of: group), key: keys.number(of: key), index: index))
        case .updateRow(let group, let index, let key, let flags):
            append(
                Step(kind: .updateRow, group: place(of: group), key: keys.number(of: key), index: index, flags: flags))
        }
    }

    /// - Parameter key: the number of the row in `keys`.
    package func appendInsertion(of key: UInt32, at index: Int, in group: String) {
        append(Step(kind: .insertRow, group: place(of: group), key: key, index: index))
    }

    private func append(_ step: Step) {
        require(!isFixed, "A view changes only in a transaction that writes.")
        if let packed = PackedStep(step) { return steps.append(packed) }
        steps.append(PackedStep(oversized: oversized.count))
        oversized.append(step)
    }

    private func place(of group: String) -> UInt32 {
        if Int(latest) < groups.count, groups[Int(latest)].hasSameBytes(as: group) { return latest }
        let known =
            groups.count > Self.few
            ? places?[group] : groups.firstIndex { $0.hasSameBytes(as: group) }.map { UInt32($0) }
        latest = known ?? UInt32(groups.count)
        if known == nil { add(group) }
        return latest
    }

    private func add(_ group: String) {
        groups.append(group)
        if groups.count == Self.few + 1 {
            places = ExactDictionary(groups.enumerated().lazy.map { ($1, UInt32($0)) })
        } else if groups.count > Self.few {
            places?[group] = latest
        }
    }

    package func reserveCapacity(_ count: Int) { steps.reserveCapacity(count) }
}

extension OperationLog: RandomAccessCollection {
    package var startIndex: Int { 0 }
    package var endIndex: Int { steps.count }

    package subscript(position: Int) -> RawOperation {
        let step = step(at: position)
        let group = groups[Int(step.group)]
        return switch step.kind {
        case .insertSection: .insertSection(group: group)
        case .deleteSection: .deleteSection(group: group)
        case .resetSection: .resetSection(group: group)
        case .insertRow: .insertRow(group: group, index: step.index, key: keys[step.key])
        case .deleteRow: .deleteRow(group: group, index: step.index, key: keys[step.key])
        case .updateRow: .updateRow(group: group, index: step.index, key: keys[step.key], flags: step.flags)
        }
    }

    func step(at position: Int) -> Step {
        let packed = steps[position]
        return packed.step ?? oversized[packed.index]
    }

    /// The groups that were made, ended or emptied at once, in that order. A group may come several times.
    package var sectionGroups: [String] {
        steps.indices.compactMap { position in
            let step = step(at: position)
            return switch step.kind {
            case .insertSection, .deleteSection, .resetSection: groups[Int(step.group)]
            case .insertRow, .deleteRow, .updateRow: nil
            }
        }
    }
}
