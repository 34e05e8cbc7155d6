import YapDatabase

extension YapDatabaseOptions {
    /// The power does not fail during a test.
    public static var forTests: YapDatabaseOptions {
        var options = YapDatabaseOptions()
        options.pragmaSynchronous = .off
        return options
    }
}
