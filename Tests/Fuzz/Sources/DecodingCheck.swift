import ObjectDecoding

extension FuzzTarget {
    /// Empty for automatic detection.
    var formats: [ObjectFormat] {
        switch self {
        case .chain, .pages, .file, .coding: []
        case .archive, .plist, .xml, .json, .protobuf, .gzip, .timestamp: [ObjectFormat(rawValue: rawValue)!]
        }
    }
}

/// Decodes bytes and makes every form of the result. Stops the program if a guarantee is violated.
enum DecodingCheck {
    static func check(_ bytes: UnsafeRawBufferPointer, as formats: [ObjectFormat]) {
        let decoder = ObjectDecoder(formats: formats, options: options)
        let object = decoder.decode(bytes)
        precondition(object.size == bytes.count, "The size is \(object.size), not \(bytes.count).")
        checkJSON(object)
        checkLines(object.value, decoder)
        _ = object.value.summary(limit: 50)
        for name in object.value.columnNames.prefix(20) { _ = object.value.column(name) }
        var text: [UInt8] = []
        object.value.appendSearchText(to: &text, limit: 10_000)
    }

    /// Small limits, so that the fuzzer reaches them.
    private static let options: DecodingOptions = {
        var options = DecodingOptions()
        options.depthLimit = 20
        options.valueLimit = 2_000
        options.textLimit = 20_000
        options.inflatedLimit = 100_000
        return options
    }()

    private static func checkJSON(_ object: DecodedObject) {
        var options = DecodingOptions()
        options.depthLimit = 200
        let form = object.json
        precondition(!form.utf8.contains { $0 < 0x20 }, "A control character is in \(form)")
        let again = ObjectDecoder(formats: [.json], options: options).decode(Array(form.utf8))
        precondition(again.formats == [.json], "\(again.error ?? "") \(form)")
    }

    private static func checkLines(_ value: DecodedValue, _ decoder: ObjectDecoder) {
        var folding = Folding()
        for _ in 0..<3 {
            let outline = DecodedOutline(value, folding: folding, decoder: decoder)
            let lines = outline.lines(0..<min(outline.count, 100))
            for line in lines where line.fold == .closed { folding.toggle(line.path) }
        }
    }
}
