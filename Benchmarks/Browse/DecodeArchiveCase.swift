import Foundation
import ObjectDecoding
import YapDatabase

/// Decodes a keyed archive of about 400 bytes, of the kind that apps store.
let decodeArchiveCase = Case(
    name: "decode_archive", n: 10_000, k: 10_000, unit: "µs", targets: [.value(atMost: 6, "µs")]
) {
    let message: [String: Any] = [
        "conversation": "conv-17", "date": Date(timeIntervalSinceReferenceDate: 500_000_000), "isRead": true,
        "sender": "bob", "text": "The one with the flexible range?", "serverID": 10_000_000_001,
    ]
    let bytes = Array(try YapDatabase.defaultSerializer()("messages", "msg-0917", message))
    let decoder = ObjectDecoder()
    let times = (0..<100).map { _ in
        used {
            for _ in 0..<100 { keep(decoder.decode(bytes)) }
        } / 100
    }
    return Measurement(value: times.median * 1e6)
}
