import ByteFormats
import Foundation

/// Decodes a property list's table: a plain list, or a keyed archive with its references resolved.
///
/// Each list, dictionary and object is decoded once. At its next place the result is used again, as long as the limits
/// allow; inside itself it becomes a reference. So the time is linear in the size of the table, whatever the references
/// are.
struct PropertyListDecoder<Source: PropertyListSource> {
    let source: Source
    /// The table of a keyed archive; nil for a plain list.
    let archived: PropertyListObject.Children?
    var budget: Budget
    var trail = Trail()
    /// The known classes, by their index. Archives have few.
    var classes: [(index: Int, type: ArchivedClass)] = []
    private var containers: [ContainerState]
    private var known: [KnownContainer] = []

    init(_ source: Source, archived: PropertyListObject.Children? = nil, budget: Budget) {
        self.source = source
        self.archived = archived
        self.budget = budget
        containers = Array(repeating: ContainerState(), count: source.count)
    }

    /// Decodes an object with everything inside.
    mutating func value(at index: Int) -> DecodedValue {
        guard budget.spend(values: 1) else { return .tooMany(1) }
        do throws(MalformedPropertyList) {
            return try value(of: source.object(index), at: index)
        } catch {
            return budget.damaged(error.problem)
        }
    }

    private mutating func value(
        of object: PropertyListObject, at index: Int
    ) throws(MalformedPropertyList) -> DecodedValue {
        switch object {
        case .null: return .null
        case .bool(let bool): return .bool(bool)
        case .integer(let integer): return .integer(integer)
        case .wideInteger(let high, let low): return .wide(high: high, low: low)
        case .real(let real): return .double(real)
        case .date(let seconds): return .date(seconds: seconds)
        case .data(let piece):
            return budget.spend(text: piece.byteCount) ? .data(source.data(piece)) : .tooLong(piece.byteCount)
        case .string(let piece):
            return budget.spend(text: piece.byteCount) ? .string(text(piece)) : .tooLong(piece.byteCount)
        case .uid(let uid): return try resolve(uid)
        case .array(let children): return container(index) { .array($0.elements(children)) }
        case .set(let children): return container(index) { .set($0.elements(children)) }
        case .dictionary(let children): return container(index) { $0.instanceOrDictionary(children) }
        }
    }

    /// Returns a text, and notes if U+FFFD stands for a part of it.
    mutating func text(_ piece: PropertyListObject.Piece) -> String {
        if !source.isUnicode(piece) { budget.isInexact = true }
        return source.string(piece)
    }

    /// Runs `decode` unless the container is open or known.
    private mutating func container(_ index: Int, _ decode: (inout Self) -> DecodedValue) -> DecodedValue {
        let state = containers[index]
        if let path = trail.path(ofOpen: Int(state.openLevel)) { return .reference(path) }
        if state.known >= 0 { return again(known[Int(state.known)]) }
        guard trail.steps.count < budget.depthLimit else { return .tooDeep(budget.depthLimit) }
        let (before, heightOutside) = (budget, trail.height)
        containers[index].openLevel = Int32(trail.steps.count + 1)
        trail.height = 0
        let value = decode(&self)
        let height = trail.height + 1
        trail.height = max(heightOutside, height)
        containers[index] = ContainerState(known: Int32(known.count))
        known.append(KnownContainer(value: value, height: height, before: before, after: budget, trail: trail))
        return value
    }

    private mutating func again(_ known: KnownContainer) -> DecodedValue {
        guard trail.steps.count + known.height <= budget.depthLimit, budget.spend(values: known.values),
            budget.spend(text: known.text)
        else { return known.path.map(DecodedValue.reference) ?? .tooMany(known.values + 1) }
        trail.height = max(trail.height, known.height)
        return known.value
    }

    mutating func elements(_ children: PropertyListObject.Children) -> [DecodedValue] {
        var values: [DecodedValue] = []
        values.reserveCapacity(min(children.count, 1_024))
        for place in 0..<children.count {
            guard budget.values > 0 else {
                values.append(.tooMany(children.count - place))
                break
            }
            values.append(child(source.reference(children, place), .element(place)))
        }
        return values
    }

    mutating func child(_ index: Int, _ step: Trail.Step) -> DecodedValue {
        trail.steps.append(step)
        defer { trail.steps.removeLast() }
        return value(at: index)
    }
}

extension PropertyListDecoder {
    /// Decodes a plain dictionary of the list.
    mutating func dictionary(_ children: PropertyListObject.Children) -> DecodedValue {
        .dictionary(
            fields(count: children.count) { source, place in
                (source.reference(children, place), source.reference(children, children.count + place))
            })
    }

    /// Decodes the fields whose keys and values are at the indices that `pair` returns for each place.
    mutating func fields(count: Int, _ pair: (Source, Int) -> (key: Int, value: Int)) -> [DecodedField] {
        var fields: [DecodedField] = []
        fields.reserveCapacity(min(count, 1_024))
        for place in 0..<count {
            guard budget.values > 0 else {
                fields.appendOmitted(count - place)
                break
            }
            let (keyIndex, valueIndex) = pair(source, place)
            let key = child(keyIndex, .key(place))
            let step: Trail.Step = if case .string(let name) = key { .field(name) } else { .key(place) }
            fields.append(DecodedField(key: key, value: child(valueIndex, step)))
        }
        return fields
    }
}

extension PropertyListDecoder {
    /// Decodes an `NSDecimalNumber`: an integer of eight 16-bit digits, the lowest first, and a power of ten.
    mutating func decimal(_ children: PropertyListObject.Children) -> DecodedValue? {
        guard case .data(let piece)? = target("NS.mantissa", children), piece.byteCount == 16,
            case .integer(let exponent)? = target("NS.exponent", children), abs(exponent) <= 128,
            case .bool(let isNegative)? = target("NS.negative", children)
        else { return nil }
        let isBigEndian = if case .integer(1)? = target("NS.mantissa.bo", children) { false } else { true }
        let bytes = source.data(piece)
        var mantissa: UInt128 = 0
        for digit in stride(from: 14, through: 0, by: -2) {
            let (first, second) = (UInt128(bytes[digit]), UInt128(bytes[digit + 1]))
            mantissa = mantissa << 16 | (isBigEndian ? first << 8 | second : second << 8 | first)
        }
        return .number(Self.text(mantissa, exponent: Int(exponent), isNegative: isNegative))
    }

    private static func text(_ mantissa: UInt128, exponent: Int, isNegative: Bool) -> String {
        var digits = String(mantissa)
        if exponent >= 0 {
            if mantissa != 0 { digits += String(repeating: "0", count: exponent) }
        } else {
            if digits.count <= -exponent {
                digits = String(repeating: "0", count: 1 - exponent - digits.count) + digits
            }
            digits.insert(".", at: digits.index(digits.endIndex, offsetBy: exponent))
        }
        return (isNegative ? "-" : "") + digits
    }
}
