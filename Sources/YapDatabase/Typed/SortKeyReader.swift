import ByteCoders

/// Reads what decides the order of a row, out of its value or its stored bytes.
///
/// Not generic: a list of orders of a generic type is copied, one by one, for each row.
struct SortKeyReader: Sendable {
    struct Step: Sendable {
        let kind: SortKeys.Step
        let number: @Sendable (UnsafeRawPointer) -> UInt64
        let storedNumber: @Sendable (StoredFields) throws -> UInt64
        /// What decides between equal numbers.
        let text: (field: FieldText, key: StoredKey)?
    }

    let steps: [Step]
    private let textCount: Int

    /// Nil if one of the orders compares something else than a number or a text that is stored by itself.
    init?<Value>(_ orders: [YapOrder<Value>]) {
        var steps: [Step] = []
        for order in orders {
            guard let number = order.prefix, let storedNumber = order.storedPrefix,
                order.isPrefixExact || order.wholeText != nil
            else { return nil }
            let text = order.isPrefixExact ? nil : order.wholeText
            steps.append(
                Step(
                    kind: SortKeys.Step(hasText: text != nil, isDescending: order.isDescending), number: number,
                    storedNumber: storedNumber, text: text))
        }
        self.steps = steps
        textCount = steps.count { $0.text != nil }
    }

    /// - Parameter place: of a value in memory.
    func key(at place: UnsafeRawPointer) -> SortKey {
        key(number: { $0.number(place) }, text: { field, _ in field.ofValue(place) })
    }

    func key<Value>(of value: Value) -> SortKey {
        withUnsafePointer(to: value) { key(at: UnsafeRawPointer($0)) }
    }

    /// - Throws: where the whole value has to be decoded.
    func key(of fields: StoredFields) throws -> SortKey {
        try key(number: { try $0.storedNumber(fields) }, text: { try $0.ofBytes(fields, $1) })
    }

    @inline(__always) private func key(
        number: (Step) throws -> UInt64, text: (FieldText, StoredKey) throws -> String
    ) rethrows -> SortKey {
        var (numbers, texts): ([UInt64], [String]) = ([], [])
        numbers.reserveCapacity(steps.count)
        texts.reserveCapacity(textCount)
        for step in steps {
            numbers.append(try number(step))
            if let (field, key) = step.text { texts.append(try text(field, key)) }
        }
        return SortKey(numbers: numbers, texts: texts)
    }
}
