/// The movies and actors of the introduction to mappings, in the view of its picture.
func withBondDatabase(_ body: (YapDatabase, YapDatabaseConnection) throws -> Void) throws {
    try withDatabase { database in
        try fillBondDatabase(database)
        try body(database, database.newConnection())
    }
}

func fillBondDatabase(_ database: YapDatabase) throws {
    database.registerCodableSerialization(Movie.self, forCollection: "movies")
    database.registerCodableSerialization(FilmActor.self, forCollection: "actors")
    let view = YapDatabaseAutoView(
        grouping: .withObjectBlock { _, _, _, object in
            object is FilmActor ? "bond actors" : (object as? Movie)?.groups.first
        },
        sorting: .withObjectBlock { _, group, _, _, one, _, _, other in
            if let one = one as? Movie, let other = other as? Movie { return one.year.compared(to: other.year) }
            return (one as! FilmActor).name.compared(to: (other as! FilmActor).name)
        })
    try database.register(view, withName: "myView")
    try database.newConnection().readWrite { transaction in
        for (key, movie) in [
            ("abc123", Movie(title: "Goldfinger", year: 1964, groups: ["bond movies"])),
            ("def456", Movie(title: "Pretty In Pink", year: 1986, groups: ["80s movies"])),
            ("xyz123", Movie(title: "GoldenEye", year: 1995, groups: ["bond movies"])),
        ] { try transaction.setObject(movie, forKey: key, inCollection: "movies") }
        for (key, name) in [("abc123", "Pierce Brosnan"), ("xyz789", "Daniel Craig"), ("klm456", "Sean Connery")] {
            try transaction.setObject(FilmActor(name: name), forKey: key, inCollection: "actors")
        }
    }
}
