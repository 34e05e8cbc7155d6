import FileReading
import Foundation
import PageCipher

/// `yap browse --json` of an encrypted file, against the plain file with the same pages in the same run.
let encryptedCases: [Case] = [
    Case(
        name: "browse_json_encrypted", n: programRows, k: programRows, unit: "ms", targets: [.ratio(atMost: 1.3)],
        isAlone: true
    ) {
        try withScratchFolder { folder in
            let plain = folder.appending(path: "plain.sqlite")
            let encrypted = folder.appending(path: "encrypted.sqlite")
            try makeProgramRows(plain)
            try EncryptedCopy.reserve(in: plain)
            try EncryptedCopy.make(of: plain, at: encrypted)
            try EncryptedFile.unlock(encrypted.path, key: FileKey(EncryptedCopy.key))
            var (times, others): ([Double], [Double]) = ([], [])
            for _ in 0..<5 {
                others.append(try passed { try printRows(plain.path, .json) })
                times.append(try passed { try printRows(encrypted.path, .json) })
            }
            return Measurement(times, others, scale: 1_000)
        }
    }
]
