import Foundation
import YapDatabase

extension CompanyWork {
    @MainActor static func moveInGroups(_ job: Job) throws -> [Double] {
        let program = try OurProgram(job.file, lists: 1)
        let reader = try program.database.newConnection()
        let coordinator = try YapDatabaseViewCoordinator(connection: reader)
        try coordinator.follow(OurProgram.list(0).mappings())
        Crew.waitForOthers()
        var moves = RandomMoves(rows, seed: 5)
        let times = try (0..<100).map { _ in
            let move = moves.next(groups: job.number)
            return try passed {
                try program.set([move])
                keep(try coordinator.advance())
            }
        }
        try program.close()
        return [times.median * 1e3]
    }

    @MainActor static func followGroups(_ job: Job) throws -> [Double] {
        let program = try OurProgram(job.file, lists: 1)
        let coordinator = try YapDatabaseViewCoordinator(connection: program.database.newConnection())
        Crew.waitForOthers()
        let time = try passed { try coordinator.follow(OurProgram.list(0).mappings()) }
        try program.close()
        return [time * 1e3]
    }

    /// All rows in the order of the list.
    @MainActor static func firstUpdate(_ job: Job) throws -> [Double] {
        let program = try job.contender.open(job.file, lists: 1)
        Crew.waitForOthers()
        let time: Double
        if let ours = program as? OurProgram {
            let updates = ours.connection.updates(of: OurProgram.list(0))
            let (done, seconds) = (DispatchSemaphore(value: 0), Locked(0.0))
            Task.detached {
                let start = Time.passed
                var iterator = updates.makeAsyncIterator()
                keep(try await iterator.next())
                seconds.set(Time.passed - start)
                done.signal()
            }
            done.wait()
            time = seconds.value
        } else {
            time = try passed {
                for group in 0..<Item.groups { try program.readList("group \(group)", first: job.number) }
            }
        }
        try program.close()
        return [time * 1e3]
    }

    @MainActor static func openList(_ job: Job) throws -> [Double] {
        Crew.waitForOthers()
        let start = Time.passed
        let program = try job.contender.open(job.file, lists: 1)
        try program.readList("group 0", first: 50)
        let time = Time.passed - start
        try program.close()
        return [time * 1e3]
    }

    @MainActor static func order(_ job: Job) throws -> [Double] {
        let program = try job.contender.open(job.file)
        Crew.waitForOthers()
        let time = try passed {
            if let ours = program as? OurProgram {
                if job.work == .orderByBlocks {
                    try ItemList.blocks.register(in: ours.database)
                } else {
                    try ours.database.register(OurProgram.list(0))
                }
            } else if let raw = program as? RawProgram {
                try raw.makeOrder()
            }
        }
        try program.close()
        return [time * 1e6 / Double(rows)]
    }

    @MainActor static func indexAndScan(_ job: Job) throws -> [Double] {
        let program = try job.contender.open(job.file)
        let index = YapIndex("ids", of: OurProgram.list(0).collection, on: \Item.id)
        if let ours = program as? OurProgram {
            try ours.database.register(index)
        } else if let raw = program as? RawProgram {
            try raw.makeIndex()
        }
        Crew.waitForOthers()
        let byIndex = try passed {
            if let ours = program as? OurProgram {
                keep(
                    try ours.connection.read {
                        try $0[index.collection].where(\.id >= 50_000 && \.id < 51_000).values()
                    })
            } else if let raw = program as? RawProgram {
                try raw.readIndex()
            }
        }
        let scan = try passed { try program.readAll() }
        try program.close()
        return [byIndex * 1e3, scan * 1e6 / Double(rows)]
    }
}

extension RawProgram {
    /// Fills a table with the ranks of all rows.
    fileprivate func makeOrder() throws {
        try database.execute(
            """
            CREATE TABLE "order" ("group" CHAR NOT NULL, "place" REAL NOT NULL, "row" INTEGER NOT NULL, \
            PRIMARY KEY ("group", "place", "row")) WITHOUT ROWID
            """)
        let entry = try database.prepare(#"INSERT INTO "order" ("group", "place", "row") VALUES (?, ?, ?)"#)
        let scan = try database.prepare(#"SELECT "rowid", "data" FROM "database2""#)
        try database.inTransaction {
            var places: [(group: String, place: Double, row: Int64)] = []
            try scan.forEach { row in
                let item = try Item.decoded(row.data(1))
                places.append((item.group, item.rank, row.int64(0)))
            }
            places.sort { ($0.group, $0.place) < ($1.group, $1.place) }
            for place in places { try entry.run(place.group, place.place, place.row) }
        }
    }

    fileprivate func makeIndex() throws {
        try database.execute(
            #"CREATE TABLE IF NOT EXISTS "ids" ("row" INTEGER PRIMARY KEY, "id" INTEGER)"#)
        try database.execute(#"CREATE INDEX IF NOT EXISTS "by id" ON "ids" ("id")"#)
        let scan = try database.prepare(#"SELECT "rowid", "data" FROM "database2""#)
        let entry = try database.prepare(#"INSERT INTO "ids" ("row", "id") VALUES (?, ?)"#)
        try database.inTransaction {
            try database.execute(#"DELETE FROM "ids""#)
            try scan.forEach { try entry.run($0.int64(0), Int64(Item.decoded($0.data(1)).id)) }
        }
    }

    fileprivate func readIndex() throws {
        let query = try database.prepare(
            #"""
            SELECT "data" FROM "ids" JOIN "database2" ON "database2"."rowid" = "ids"."row"
            WHERE "id" >= 50000 AND "id" < 51000
            """#)
        try query.forEach { keep(try Item.decoded($0.data(0))) }
    }
}
