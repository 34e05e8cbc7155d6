import ByteFormats

extension ObjectDecoder {
    /// Decodes bytes by one format.
    func decode(
        _ bytes: UnsafeRawBufferPointer, as format: ObjectFormat, layer: Int
    ) throws(DecodingError) -> DecodedObject {
        let budget = Budget(options, size: bytes.count)
        switch format {
        case .archive: return try propertyList(bytes, budget, isArchive: true)
        case .plist: return try propertyList(bytes, budget, isArchive: false)
        case .xml: return try xml(bytes, budget)
        case .json: return try json(bytes, budget)
        case .gzip: return try inflated(bytes, layer: layer)
        case .text: return try text(bytes)
        case .timestamp: return try timestamp(bytes)
        case .protobuf:
            guard let message = ProtobufDecoding.decode(bytes, budget) else {
                throw DecodingError("The bytes are not a protobuf message.")
            }
            return DecodedObject(message, .protobuf, bytes)
        case .hex: return DecodedObject(.bytes(Array(bytes), error: nil), .hex, bytes)
        }
    }

    private func propertyList(
        _ bytes: UnsafeRawBufferPointer, _ budget: Budget, isArchive: Bool
    ) throws(DecodingError) -> DecodedObject {
        do throws(MalformedPropertyList) {
            let table = try PropertyListTable(bytes)
            let list = try isArchive ? PropertyLists.archive(table, budget) : PropertyLists.plain(table, budget)
            return DecodedObject(
                list.value, isArchive ? .archive : .plist, bytes, damage: list.damage, isInexact: list.isInexact)
        } catch {
            let begins = bytes.starts(with: PropertyListTable.magic)
            throw DecodingError(error.description, begins && error != .notAnArchive ? .sure : .none)
        }
    }

    private func json(_ bytes: UnsafeRawBufferPointer, _ budget: Budget) throws(DecodingError) -> DecodedObject {
        let text = PlainText.utf16(bytes, needsMark: false).map { Array($0.utf8) }
        let (value, isExact) = try JSONDecoding.decode(text ?? Array(PlainText.withoutMark(bytes)), budget)
        return DecodedObject(value, .json, bytes, isInexact: !isExact)
    }

    private func text(_ bytes: UnsafeRawBufferPointer) throws(DecodingError) -> DecodedObject {
        guard let text = isAutomatic ? PlainText.readable(bytes) : PlainText.decode(bytes) else {
            throw DecodingError("The bytes are not text in UTF-8, or in UTF-16 with a byte order mark.")
        }
        return DecodedObject(.string(text), .text, bytes)
    }

    private func timestamp(_ bytes: UnsafeRawBufferPointer) throws(DecodingError) -> DecodedObject {
        guard let seconds = Timestamp.decode(bytes) else {
            throw DecodingError("A timestamp has eight bytes, not \(bytes.count.grouped).")
        }
        guard !isAutomatic || Timestamp.isLikely(seconds) else {
            throw DecodingError("The eight bytes are not a likely time.")
        }
        return DecodedObject(.date(seconds: seconds), .timestamp, bytes)
    }
}

extension ObjectDecoder {
    private func xml(_ bytes: UnsafeRawBufferPointer, _ budget: Budget) throws(DecodingError) -> DecodedObject {
        guard let text = PlainText.utf16(bytes, needsMark: false) else {
            guard PlainText.withoutMark(bytes).first(where: { $0 > 0x20 }) == UInt8(ascii: "<") else {
                throw DecodingError("An XML property list begins with a tag.")
            }
            return try utf8XML(
                UnsafeRawBufferPointer(rebasing: PlainText.withoutMark(bytes)), budget, size: bytes.count)
        }
        let result = Array(text.utf8).withUnsafeBytes { utf8 in
            Result { () throws(DecodingError) in try utf8XML(utf8, budget, size: bytes.count) }
        }
        return try result.get()
    }

    private func utf8XML(
        _ bytes: UnsafeRawBufferPointer, _ budget: Budget, size: Int
    ) throws(DecodingError) -> DecodedObject {
        let arena = try XMLPropertyListParser.parse(bytes, objectLimit: 2 * options.valueLimit)
        do throws(MalformedPropertyList) {
            let isArchive = PropertyLists.isArchive(arena)
            let list = try isArchive ? PropertyLists.archive(arena, budget) : PropertyLists.plain(arena, budget)
            return DecodedObject(
                value: list.value, formats: isArchive ? [.xml, .archive] : [.xml], size: size, error: list.damage,
                isInexact: list.isInexact)
        } catch {
            throw DecodingError(error.description, .likely)
        }
    }

    /// Decodes decompressed bytes by the list of formats. If they exceed the limit, no format can be read to its end:
    /// the beginning is shown as text or as bytes.
    private func inflated(_ bytes: UnsafeRawBufferPointer, layer: Int) throws(DecodingError) -> DecodedObject {
        guard layer < options.layerLimit else {
            throw DecodingError("The bytes are compressed more than \(options.layerLimit) times.", .sure)
        }
        let content = try Inflate.content(bytes, limit: options.inflatedLimit)
        let others = formats.filter { $0 != .gzip }
        let object = content.bytes.withUnsafeBytes {
            content.isCut
                ? beginning($0) : ObjectDecoder(formats: others, options: options).decode($0, layer: layer + 1)
        }
        return DecodedObject(
            value: object.value, formats: [.gzip] + object.formats, size: bytes.count, error: object.error,
            isCut: object.isCut, isInexact: object.isInexact)
    }

    private func beginning(_ bytes: UnsafeRawBufferPointer) -> DecodedObject {
        let sentence = "The content is larger than \(bytes.count.grouped) bytes; only its beginning is shown."
        // The end may be in the middle of a character.
        for missing in 0...min(3, bytes.count) {
            guard let text = PlainText.readable(UnsafeRawBufferPointer(rebasing: bytes.dropLast(missing))) else {
                continue
            }
            return DecodedObject(.string(text), .text, bytes, damage: sentence, isCut: true)
        }
        return DecodedObject(.bytes(Array(bytes), error: sentence), .hex, bytes, damage: sentence, isCut: true)
    }
}
