import Foundation
import YapDatabase

/// The examples in the comments of the members of a database.
private struct DatabaseExamples {
    let database: YapDatabase
    let connection: YapDatabaseConnection
    let view: YapDatabaseAutoView
    let url: URL

    func logSizeLimit() {
        var options = YapDatabaseOptions()
        options.logSizeLimit = 64 << 20
        _ = options
    }

    func unregisterExtension() throws {
        try database.unregisterExtension(withName: "order")
    }

    func registeredExtension() {
        let order = database.registeredExtension("order") as? YapDatabaseAutoView
        print(database.registeredExtensions().keys.sorted())
        _ = order
    }

    func waitForExtension() async throws {
        let order = try await database.waitForExtension("order")
        print(order is YapDatabaseAutoView)
        _ = order
    }

    func previouslyRegisteredExtensionNames() throws {
        print(try database.previouslyRegisteredExtensionNames())  // ["order", "search"]
    }

    func ext() {
        let view = connection.ext("order") as? YapDatabaseViewConnection
        _ = view
    }

    func asyncRegister() {
        let progress = database.asyncRegister(view, withName: "order") { (result: Result<Void, any Error>) in
            if case .failure(let error) = result { print(error) }
        }
        print(progress.fractionCompleted)
        _ = progress
    }

    func asyncUnregisterExtension() {
        database.asyncUnregisterExtension(withName: "order", completionQueue: .main) { result in print(result) }
    }

    func flushExtensionRequests() {
        database.asyncRegister(view, withName: "order")
        database.flushExtensionRequests { print("registered") }
    }

    func setLogHandler() {
        YapDatabase.setLogHandler { message in print(message.fileName, message.line, message.message) }
    }

    func close() throws {
        try database.close()
    }

    func check() throws {
        for problem in try YapDatabase.check(url: url) { print(problem) }
    }

    func checkReport() throws {
        let report = try YapDatabase.checkReport(url: url) { step in print(step) }
        print(report.problems.count)
        _ = report
    }
}
