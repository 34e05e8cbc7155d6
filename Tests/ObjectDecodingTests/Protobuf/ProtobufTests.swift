import Testing

@testable import ObjectDecoding

@Suite struct ProtobufTests {
    @Test func aMessageIsADictionaryOfItsFieldNumbers() {
        // 1: 150, 2: "testing", 3: {1: 1}, 5: 1.5 (double), 6: 2.5 (float), 7: -1
        let message: [UInt8] =
            [0x08, 0x96, 0x01, 0x12, 7] + Array("testing".utf8) + [0x1a, 2, 0x08, 0x01]
            + [0x29, 0, 0, 0, 0, 0, 0, 0xf8, 0x3f] + [0x35, 0, 0, 0x20, 0x40] + [0x38]
            + Array(repeating: 0xff, count: 9)
            + [1]
        let object = ObjectDecoder().decode(message)
        #expect(object.formats == [.protobuf])
        #expect(object.json == #"{"1":150,"2":"testing","3":{"1":1},"5":1.5,"6":2.5,"7":-1}"#)
    }

    @Test func repeatedFieldsAreAnArray() {
        #expect(json([0x08, 1, 0x08, 2, 0x10, 9, 0x08, 3], .protobuf) == #"{"1":[1,2,3],"2":9}"#)
        #expect(json([0x0a, 2, 0x80, 0x80, 0x0a, 1, 0xff], .protobuf) == #"{"1":[{"$data":"gIA="},{"$data":"/w=="}]}"#)
    }

    @Test(
        arguments: [
            [], [0x08], [0x08, 0x80], [0x00, 0x01], [0x0a, 5, 1], [0x0b, 0x0c], [0x08, 0x80, 0x00], [0x0f],
            [0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
        ] as [[UInt8]])
    func whatDoesNotParseWholeIsNoMessage(bytes: [UInt8]) {
        #expect(json(bytes, .protobuf).contains("The bytes are not a protobuf message."))
    }

    @Test func messagesInMessagesEndAtALimit() {
        var message: [UInt8] = [0x08, 1]
        for _ in 0..<1_000 { message = [0x0a] + varint(message.count) + message }
        #expect(json(message, .protobuf).contains(#"{"$data":"#))
    }

    private func varint(_ value: Int) -> [UInt8] {
        value < 128 ? [UInt8(value)] : [UInt8(value & 127) | 128] + varint(value >> 7)
    }
}
