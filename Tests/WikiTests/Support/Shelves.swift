/// A view of books by their rank, a list of messages by their time, and what fills them.
extension YapDatabase {
    func registerSalesRank(as name: String) throws {
        registerCodableSerialization(Book.self, forCollection: "books")
        let view = YapDatabaseAutoView(
            grouping: .withKeyBlock { _, _, _ in "books" },
            sorting: .withObjectBlock { _, _, _, _, one, _, _, other in
                (one as! Book).salesRank.compared(to: (other as! Book).salesRank)
            })
        try register(view, withName: name)
    }

    /// Sells books at these ranks; their titles are the ranks.
    func sell(_ ranks: some Sequence<Int>) throws {
        try newConnection().readWrite { transaction in
            for rank in ranks {
                try transaction.setObject(
                    Book(title: "\(rank)", salesRank: rank), forKey: "\(rank)", inCollection: "books")
            }
        }
    }

    func discontinue(_ ranks: some Sequence<Int>) throws {
        try newConnection().readWrite { try $0.removeObjects(forKeys: ranks.map { "\($0)" }, inCollection: "books") }
    }

    /// The conversations are collections.
    func registerMessages(of conversation: String) throws {
        registerCodableSerialization(Message.self, forCollection: conversation)
        let view = YapDatabaseAutoView(
            grouping: .withKeyBlock { _, collection, _ in collection },
            sorting: .withObjectBlock { _, _, _, _, one, _, _, other in
                (one as! Message).time.compared(to: (other as! Message).time)
            })
        try register(view, withName: "messages")
    }

    /// Sends a message in each of these hours; their texts are the hours.
    func send(_ hours: some Sequence<Int>, to conversation: String) throws {
        try newConnection().readWrite { transaction in
            for hour in hours {
                try transaction.setObject(
                    Message(text: "\(hour)", time: Double(hour)), forKey: "\(hour)", inCollection: conversation)
            }
        }
    }

    func delete(_ hours: some Sequence<Int>, from conversation: String) throws {
        try newConnection().readWrite {
            try $0.removeObjects(forKeys: hours.map { "\($0)" }, inCollection: conversation)
        }
    }
}

func texts(_ numbers: some Sequence<Int>) -> [String] { numbers.map { "\($0)" } }
