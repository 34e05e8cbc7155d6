import Foundation
import Testing

@testable import ObjectDecoding

@Suite struct XMLPropertyListTests {
    @Test func whatFoundationWritesIsRead() throws {
        let list: [String: Any] = [
            "text": "<&>\"' é ☕️\n", "int": -5, "large": UInt64.max, "real": 0.1, "yes": true, "no": false,
            "date": Date(timeIntervalSinceReferenceDate: 500_000_000), "data": Data(0...255), "list": [1, [], [:]],
        ]
        let object = ObjectDecoder().decode(try propertyList(list, .xml))
        #expect(object.formats == [.xml] && object.error == nil)
        let binary = ObjectDecoder().decode(try propertyList(list))
        #expect(sorted(object.value) == sorted(binary.value))
    }

    @Test(
        arguments: [
            ("<string>a<!-- c -->b<![CDATA[<&]]></string>", #""ab<&""#), ("<integer>0x1F</integer>", "31"),
            ("<integer>-0x1F</integer>", "-31"), ("<string/>", #""""#), ("<dict/>", "{}"), ("<array></array>", "[]"),
            ("<real>nan</real>", #"{"$double":"nan"}"#), ("<string>&#x263A;&#65;</string>", #""☺A""#),
            ("<date>1969-07-20T20:17:40Z</date>", #"{"$date":"1969-07-20T20:17:40Z"}"#),
            ("<integer>170141183460469231731687303715884105727</integer>", "170141183460469231731687303715884105727"),
        ])
    func valuesAreRead(element: String, form: String) {
        #expect(json("<plist version=\"1.0\">\n\(element)\n</plist>\n") == form)
    }

    @Test(
        arguments: [
            "<plist>", "<plist></plist>", "<plist><dict><key>a</key></dict></plist>", "<plist><string>x</plist>",
            "<plist><dict><string>x</string></dict></plist>", "<plist><array></dict></plist>",
            "<plist><integer>x</integer></plist>",
            "<plist><data>A</data></plist>", "<plist><date>2016-13-01T00:00:00Z</date></plist>",
            "<plist><other/></plist>",
            "<plist><string>&unknown;</string></plist>", "<plist><true/></plist><true/>",
            "<plist><array><key>k</key></array></plist>",
            "<plist><string>&#xD800;</string></plist>",
            "<plist><integer>99999999999999999999999999999999999999999</integer></plist>",
        ])
    func whatIsNoListIsATextWithAnError(text: String) {
        let object = ObjectDecoder().decode(Array(text.utf8))
        #expect(object.formats == [.text] && object.error?.contains("XML property list") == true)
    }

    private func sorted(_ value: DecodedValue) -> DecodedValue {
        guard case .dictionary(let fields) = value else { return value }
        return .dictionary(fields.sorted { $0.name ?? "" < $1.name ?? "" })
    }
}
