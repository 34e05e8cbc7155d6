import FileEngine
import Foundation
import Testing

/// Ids that decide what a server stores once come from no file: where no descriptor is left, Foundation's are all the same.
@Suite struct RandomUUIDTests {
    @Test func randomUUIDsAreOfTheirKindAndDiffer() {
        let ids = (0..<2_000).map { _ in UUID.random() }
        #expect(Set(ids).count == ids.count)
        for id in ids {
            let text = Array(id.uuidString)
            #expect(text[14] == "4" && "89AB".contains(text[19]), "\(id)")
        }
    }
}
