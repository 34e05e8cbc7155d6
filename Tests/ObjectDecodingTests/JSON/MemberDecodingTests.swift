import ByteFormats
import TestSupport
import Testing

@testable import ObjectDecoding

@Suite struct MemberDecodingTests {
    private static let names = JSONMemberNames(RandomJSON.names)

    /// Whatever the bytes are: what is read of a member alone is what decoding all of the bytes says.
    @Test(arguments: 0..<Effort.cases(UInt64(12))) func aMemberIsWhatTheWholeValueHas(seed: UInt64) {
        var random = RandomJSON(seed: seed)
        var (read, refused) = (0, 0)
        for number in 0..<500 {
            var bytes = random.object()
            if number % 2 == 1 { bytes = random.damaged(bytes) }
            let isRead = eachMember(of: bytes) { name, value in
                let whole = ObjectDecoder().decode(bytes)
                #expect(whole.formats == [.json] && whole.error == nil, "seed \(seed), \(number)")
                #expect(
                    value == whole.value.fields?.first { $0.name?.utf8.elementsEqual(name.utf8) == true }?.value,
                    "seed \(seed), \(number), \(name): \(String(decoding: bytes, as: UTF8.self))")
            }
            if isRead { read += 1 } else { refused += 1 }
        }
        #expect(read > 100 && refused > 50, "seed \(seed): \(read), \(refused)")
    }

    /// An ordinary object is never decoded as a whole for a member.
    @Test(arguments: [
        #"{}"#, #"{"price":1}"#, #"{ "genre" : "sci-fi" , "price" : [1, {"a": []}] } "#,
        #"{"x":"é\ud83d","\u0061":null}"#,
        #"{"a":1,"a":2}"#, "{\"a\":" + String(repeating: "[", count: 63) + String(repeating: "]", count: 63) + "}",
    ])
    func anObjectIsReadByItsMembers(text: String) {
        let whole = ObjectDecoder().decode(Array(text.utf8)).value
        let isRead = eachMember(of: Array(text.utf8)) { name, value in
            #expect(value == whole.fields?.first { $0.name?.utf8.elementsEqual(name.utf8) == true }?.value, "\(name)")
        }
        #expect(isRead)
    }

    /// What is no object, or may be cut by a limit, is left to the decoding of all bytes.
    @Test(arguments: [
        "", "{", "[1]", "1", #"{"a":1"#, #"{"a":1}}"#, #"{"a":01}"#, #"{"a":1,}"#, #"{"a" 1}"#, #"{a:1}"#,
        #"{"a":"\x"}"#,
        "{\"a\":\"\n\"}", " {}", "\u{FEFF}{}",
        "{\"a\":" + String(repeating: "[", count: 64) + String(repeating: "]", count: 64) + "}",
    ])
    func allElseIsRefused(text: String) { #expect(!eachMember(of: Array(text.utf8)) { _, _ in }) }

    @Test func limitsAndChosenFormatsAreThoseOfTheWhole() {
        let bytes = Array(#"{"a":[1,2,3]}"#.utf8)
        for change: (inout ObjectDecoder) -> Void in [
            { $0.options.valueLimit = 3 }, { $0.options.depthLimit = 1 }, { $0.formats = [.text] },
        ] {
            var decoder = ObjectDecoder()
            change(&decoder)
            var members: [UnsafeRawBufferPointer?] = []
            #expect(!bytes.withUnsafeBytes { decoder.find(Self.names, in: $0, &members) })
        }
    }

    /// Calls a closure with each name and the value of its member.
    /// - Returns: whether the bytes were read by their members.
    private func eachMember(of bytes: [UInt8], _ body: (String, DecodedValue?) -> Void) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var members: [UnsafeRawBufferPointer?] = []
            guard ObjectDecoder().find(Self.names, in: bytes, &members) else { return false }
            for (name, text) in zip(Self.names.texts, members) {
                body(name, text.map { ObjectDecoder().value(ofMember: $0) })
            }
            return true
        }
    }
}
