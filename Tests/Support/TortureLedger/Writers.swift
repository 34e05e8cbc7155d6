/// The writers of one torture, each with a ledger of its own in the same file.
public let writers = ["w0", "w1", "w2"]
