import FileEngine
import Foundation
import ListChanges
import SeededRandom
import TestSupport
import Testing

@testable import YapDatabase

/// What extensions read from which is what looking at each of them says, whatever is registered, removed and replaced.
@Suite struct ExtensionLinksTests {
    @Test func theyAreWhatEachExtensionSays() throws {
        try withTemporaryDatabase { database throws in
            var random = SplitMix64(seed: 21)
            let order = YapList("order", of: Novel.all, groupedBy: \.shelf, sortedBy: .descending(\.year))
            try database.register(order)
            let connection = try database.newConnection()
            func expectLinks(_ context: Comment) throws {
                try connection.readWrite { transaction throws in
                    let (links, all) = (transaction.links, transaction.extensions)
                    for (place, one) in all.enumerated() {
                        #expect(links.place(of: one.name) == place, context)
                        #expect(
                            links.dependents(of: one.name)
                                == all.filter { $0.extension.dependencies.contains(one.name) }.map(\.name), context)
                        let rows = RowTable.derivedMark + one.name
                        #expect(
                            links.listeners(of: rows)
                                == all.filter {
                                    $0.extension.collections?.whitelist?.contains(ExactString(rows)) == true
                                }
                                .map(\.name), context)
                    }
                    #expect(links.place(of: "none") == nil && links.dependents(of: "none").isEmpty, context)
                }
            }
            for step in 0..<40 {
                let name = "list \(random.below(12))"
                if database.registeredExtension(name) != nil {
                    try database.unregisterExtension(withName: name)
                    if database.registeredExtension("\(name).rows") != nil {
                        try database.unregisterExtension(withName: "\(name).rows")
                    }
                } else if random.percent(50) {
                    try database.register(YapList(name, filtering: order, where: \.year > step))
                } else {
                    try database.register(YapList(name, groupsOf: order, sortedBy: .ascending(\.name)))
                }
                try connection.readWrite { try $0[Novel.all].save(Novel(step % 7, "t", .hall, year: step)) }
                try expectLinks("step \(step)")
            }
        }
    }
}
