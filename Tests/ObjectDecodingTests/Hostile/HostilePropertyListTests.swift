import TestSupport
import Testing

@testable import ObjectDecoding

/// Lists that no correct program writes. None may crash, hang or take much memory.
@Suite struct HostilePropertyListTests {
    @Test func aListThatContainsItselfRefersToItsPath() {
        #expect(json(RawPropertyList(objects: [RawPropertyList.array([0])]).bytes) == #"[{"$ref":"$"}]"#)
        let inner = RawPropertyList(objects: [
            RawPropertyList.dictionary([(key: 2, value: 1)]), RawPropertyList.array([1, 0]),
            RawPropertyList.text("a b"),
        ])
        #expect(json(inner.bytes) == #"{"a b":[{"$ref":"$[\"a b\"]"},{"$ref":"$"}]}"#)
    }

    @Test func aBillionLaughsAreNotRepeated() {
        var objects: [[UInt8]] = (0..<60).map { RawPropertyList.array(Array(repeating: $0 + 1, count: 10)) }
        objects.append(RawPropertyList.text("ha"))
        let object = ObjectDecoder().decode(RawPropertyList(objects: objects).bytes)
        #expect(object.json.utf8.count < 10 << 20)
        #expect(object.json.contains("$ref"))
    }

    @Test func aLongTextThatStandsAtManyPlacesIsNotRepeatedForEver() {
        let text = RawPropertyList.text(String(repeating: "x", count: 1 << 20))
        let list = RawPropertyList(objects: [RawPropertyList.array(Array(repeating: 1, count: 100_000)), text])
        var options = DecodingOptions()
        options.textLimit = 1 << 20
        let form = json(list.bytes, options: options)
        #expect(form.utf8.count < 10 << 20 && form.contains(#"{"$omitted":"1,048,576 bytes"}"#))
    }

    @Test func veryDeepListsEndAtTheDepthLimit() {
        let levels = Effort.cases(1_000_000)
        var objects = (0..<levels).map { RawPropertyList.array([$0 + 1]) }
        objects.append(RawPropertyList.text("end"))
        let form = json(RawPropertyList(objects: objects).bytes)
        #expect(
            form == String(repeating: "[", count: 100) + #"{"$omitted":"deeper than 100 levels"}"#
                + String(repeating: "]", count: 100))
    }

    /// Lists with shared ends would exceed the depth limit if they were built from known parts.
    @Test func sharedListsDoNotAddUpBeyondTheDepthLimit() {
        var objects = [RawPropertyList.array(Array((1...400).reversed()))]
        for level in 1...400 { objects.append(RawPropertyList.array(level < 400 ? [level + 1] : [])) }
        let value = ObjectDecoder().decode(RawPropertyList(objects: objects).bytes).value
        #expect(height(value) <= 101)
    }

    @Test func countsThatLieAreErrors() {
        var list = RawPropertyList(objects: [RawPropertyList.sized(0xa0, 1 << 40)])
        #expect(json(list.bytes).contains("a size is larger than the whole"))
        list.objects = [RawPropertyList.sized(0xd0, 8)]
        #expect(json(list.bytes).contains("cut off"))
        list = RawPropertyList(objects: [RawPropertyList.text("x")], claimedCount: .max)
        #expect(json(list.bytes).contains("its trailer does not fit its size"))
        list.claimedCount = 1 << 60
        #expect(json(list.bytes).contains("its trailer does not fit its size"))
    }

    @Test func listsThatLieOverEachOtherTakeLinearTime() {
        // Each of 20,000 lists claims the same 20,000 references, which are those lists.
        let count = 20_000
        let lists = (0..<count).map { _ in RawPropertyList.array(Array(1...8)) }
        let root = RawPropertyList.array(Array(1...count))
        let form = json(RawPropertyList(objects: [root] + lists).bytes)
        #expect(form.utf8.count < 40 << 20)
    }

    @Test func valuesBeyondTheLimitAreCounted() {
        var options = DecodingOptions()
        options.valueLimit = 4
        let list = RawPropertyList(objects: [RawPropertyList.array([1, 1, 1, 1, 1, 1]), RawPropertyList.integer(7)])
        #expect(json(list.bytes, options: options) == #"[7,7,7,{"$omitted":"3 more values"}]"#)
    }

    @Test func keysNeedNotBeStringsNorDifferent() {
        let pairs: [(key: Int, value: Int)] = [(1, 2), (1, 2), (3, 2)]
        let list = RawPropertyList(objects: [
            RawPropertyList.dictionary(pairs), RawPropertyList.text("k"), RawPropertyList.integer(1),
            RawPropertyList.array([0]),
        ])
        #expect(json(list.bytes) == #"{"$dictionary":[["k",1],["k",1],[[{"$ref":"$"}],1]]}"#)
        let twice = RawPropertyList(objects: [
            RawPropertyList.dictionary(Array(pairs.prefix(2))), RawPropertyList.text("k"), RawPropertyList.integer(1),
        ])
        #expect(json(twice.bytes) == #"{"k":1,"k":1}"#)
    }

    private func height(_ value: DecodedValue) -> Int {
        1 + ((0..<value.childCount).map { height(value.child($0)) }.max() ?? 0)
    }
}
