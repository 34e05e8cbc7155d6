import Testing

@testable import ObjectDecoding

@Suite struct HostileArchiveTests {
    @Test func anObjectThatContainsItselfRefersToItsPath() {
        let archive = XMLArchive(
            "<dict><key>$class</key>\(XMLArchive.uid(3))<key>child</key>\(XMLArchive.uid(2))</dict>",
            "<dict><key>$class</key>\(XMLArchive.uid(3))<key>parent</key>\(XMLArchive.uid(1))<key>self</key>\(XMLArchive.uid(2))</dict>",
            XMLArchive.classEntry("Node"))
        #expect(
            json(archive.text)
                == #"{"$class":"Node","child":{"$class":"Node","parent":{"$ref":"$"},"self":{"$ref":"$.child"}}}"#)
    }

    @Test func aSharedObjectIsShownAtEveryPlace() {
        let archive = XMLArchive(
            XMLArchive.array([2, 2], classEntry: 4),
            "<dict><key>$class</key>\(XMLArchive.uid(3))<key>n</key><integer>1</integer></dict>",
            XMLArchive.classEntry("Node"), XMLArchive.classEntry("NSArray"))
        #expect(json(archive.text) == #"[{"$class":"Node","n":1},{"$class":"Node","n":1}]"#)
    }

    @Test func sharedObjectsDoNotMultiply() {
        let levels = 64
        let lists = (1...levels).map { XMLArchive.array($0 < levels ? [$0 + 1, $0 + 1] : [], classEntry: levels + 1) }
        let form = json(XMLArchive(entries: lists + [XMLArchive.classEntry("NSArray")]).text)
        #expect(form.utf8.count < 10 << 20 && form.contains("$ref"))
    }

    @Test func aChainOfAMillionObjectsEndsAtTheDepthLimit() {
        // As binary list: the table's objects refer to each other by index.
        let count = 100_000
        var objects: [[UInt8]] = [RawPropertyList.dictionary([(1, 2), (3, 4), (5, 6)])]
        objects += ["$archiver", "x", "$top"].map(RawPropertyList.text)
        objects += [RawPropertyList.dictionary([(7, 8)]), RawPropertyList.text("$objects")]
        let first = 11
        objects.append(RawPropertyList.array(Array(first..<first + count)))
        objects += [
            RawPropertyList.text("root"), RawPropertyList.uid(1), RawPropertyList.text("next"),
            RawPropertyList.text(""),
        ]
        for entry in 0..<count { objects.append(RawPropertyList.dictionary([(9, first + count + entry)])) }
        for entry in 0..<count { objects.append(RawPropertyList.uid(entry + 1)) }
        let form = json(RawPropertyList(objects: objects).bytes)
        #expect(form.hasPrefix(#"{"next":{"next":"#) && form.contains("deeper than 100 levels"))
    }

    @Test func damageInsideAnArchiveLeavesTheRest() {
        let archive = XMLArchive(
            XMLArchive.array([2, 99, 3], classEntry: 4), "<string>good</string>", "<integer>5</integer>",
            XMLArchive.classEntry("NSArray"))
        let object = ObjectDecoder().decode(Array(archive.text.utf8))
        #expect(object.json.hasPrefix(#"{"$partial":["good",{"error":"a reference leads nowhere"},5],"error":"#))
        #expect(object.error == "The property list is malformed: a reference leads nowhere.")
    }

    @Test func aTableEntryThatIsAReferenceToItselfIsDamage() {
        let archive = XMLArchive(XMLArchive.uid(1))
        #expect(ObjectDecoder().decode(Array(archive.text.utf8)).error != nil)
    }

    @Test func fieldsOfFoundationClassesThatAreMissingLeaveAnObject() {
        let archive = XMLArchive(
            "<dict><key>$class</key>\(XMLArchive.uid(2))<key>odd</key><true/></dict>", XMLArchive.classEntry("NSDate"))
        #expect(json(archive.text) == #"{"$class":"NSDate","odd":true}"#)
    }
}
