/// The writers of one torture run, each with its own ledger in the same file.
public let writers = ["w0", "w1", "w2"]
