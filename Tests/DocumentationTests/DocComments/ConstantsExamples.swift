import ListChanges
import TestSupport
import Testing
import YapDatabase

// Constants of a program, which all tasks see: values, so that Swift 6 takes them at file scope.

private let mail = YapViewOptions(allowedCollections: YapWhitelistBlacklist(whitelist: ["mail"]))
private let newestMessages = RangeOptions.fixed(length: 50, offset: 0, from: .end)
private let newest = YapShown.last(50)
private let shownGroups: Mappings = {
    var mappings = Mappings(groups: ["inbox", "archive"])
    mappings.setRangeOptions(.fixed(length: 2, offset: 0, from: .end), forGroup: "archive")
    return mappings
}()

@Suite struct ConstantsExamples {
    private static let grouping = YapDatabaseViewGrouping.withKeyBlock { _, _, key in
        key < "n" ? "inbox" : "archive"
    }
    private static let sorting = YapDatabaseViewSorting.withKeyBlock { _, _, _, key1, _, key2 in key1.compare(key2) }

    private func setRange(_ mappings: YapDatabaseViewMappings) {
        let newest = RangeOptions.fixed(length: 50, offset: 0, from: .end)  // perhaps at file scope
        mappings.setRange(newest, forGroup: "messages")
    }

    @Test func constantsOfAProgramMakeViewsAndMappings() throws {
        try withTemporaryFolder { folder in
            let url = folder.appending(path: "mail.sqlite")
            let database = try YapDatabase(url: url)
            try database.register(
                YapDatabaseAutoView(grouping: Self.grouping, sorting: Self.sorting, versionTag: "1", options: mail),
                withName: "order")
            let filtering = YapDatabaseViewFiltering.withKeyBlock { _, _, _, key in key > "b" }
            try database.register(
                YapDatabaseFilteredView(
                    parentViewName: "order", filtering: filtering, options: YapViewOptions(isPersistent: false)),
                withName: "later")
            try database.register(YapDatabaseManualView(options: mail), withName: "picked")
            let connection = try database.newConnection()
            try connection.readWrite { transaction in
                for key in ["a", "b", "c", "x", "y", "z"] {
                    try transaction.setObject(key, forKey: key, inCollection: "mail")
                    try transaction.setObject(key, forKey: key, inCollection: "drafts")
                }
            }
            let mappings = YapDatabaseViewMappings(shownGroups, view: "order")
            try connection.read { try mappings.update(with: $0) }
            // The two newest of the archive; no drafts.
            #expect(mappings.numberOfItems(inSection: 0) == 3 && mappings.numberOfItems(inSection: 1) == 2)
            mappings.setRange(newestMessages, forGroup: "archive")
            try connection.read { try mappings.update(with: $0) }
            #expect(mappings.numberOfItems(inSection: 1) == 3 && newest.range == newestMessages)

            let copy = YapDatabaseViewOptions(mail)
            copy.isPersistent = false
            #expect(mail.isPersistent && copy.value.allowedCollections != nil && !copy.isPersistent)
            try connection.read { transaction in
                let later = transaction.ext("later") as? YapDatabaseViewTransaction
                #expect(later?.numberOfItemsInAllGroups() == 4)
            }
            try database.close()
            #expect(try YapDatabase.check(url: url).isEmpty)
        }
    }

    private func mappings() {
        let mappings = YapDatabaseViewMappings(shownGroups, view: "order")
        _ = mappings
    }

    private func options() {
        let mail = YapViewOptions(allowedCollections: YapWhitelistBlacklist(whitelist: ["mail"]))
        _ = mail
    }
}
