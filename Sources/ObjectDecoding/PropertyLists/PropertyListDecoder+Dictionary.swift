import ByteFormats

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
