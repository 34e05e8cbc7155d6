import TestSupport
import Testing

@testable import ObjectDecoding

@Suite struct HostileTextTests {
    @Test func jsonAMillionDeepEndsAtTheDepthLimit() {
        let levels = Effort.cases(1_000_000)
        let text = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
        let object = ObjectDecoder().decode(Array(text.utf8))
        #expect(object.formats == [.json] && object.json.contains("deeper than 100 levels"))
        let open = ObjectDecoder().decode([UInt8](repeating: UInt8(ascii: "["), count: levels))
        #expect(open.formats == [.text] && open.error != nil)
    }

    @Test func xmlAMillionDeepEndsAtTheDepthLimit() {
        let levels = 150_000
        let text = String(repeating: "<array>", count: levels) + String(repeating: "</array>", count: levels)
        let object = ObjectDecoder().decode(Array(text.utf8))
        #expect(object.formats == [.xml] && object.json.contains("deeper than 100 levels"))
    }

    @Test func entitiesOfTheTextsOwnAreNotRead() {
        let text = """
            <?xml version="1.0"?><!DOCTYPE plist [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>
            <plist><string>&b;</string></plist>
            """
        let object = ObjectDecoder().decode(Array(text.utf8))
        #expect(object.formats == [.text])
        #expect(json("<plist><string>&b;</string></plist>", .xml).contains("the entity b is unknown"))
    }

    @Test func valuesBeyondTheLimitAreCounted() {
        var options = DecodingOptions()
        options.valueLimit = 3
        #expect(json("[1,2,3,4,5]", options: options) == #"[1,2,3,{"$omitted":"2 more values"}]"#)
        #expect(json(#"{"a":1,"b":2,"c":3,"d":[4]}"#, options: options).contains(#""$omitted":"1 more value"}"#))
    }

    @Test func stringsOfControlCharactersAreEscaped() {
        #expect(json("\"\\u001b[2J\\u0000\"") == #""\u001b[2J\u0000""#)
        #expect(json("\"\\ud800x\"").hasPrefix("{\"$partial\":\"\u{FFFD}x\",\"error\":"))
    }
}
