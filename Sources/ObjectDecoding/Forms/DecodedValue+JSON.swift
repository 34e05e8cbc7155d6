import ByteFormats

/// The JSON form, for programs. One line, valid JSON for any value.
///
/// Values that JSON has are written as such. Every other value is an object whose first member begins with `$`:
///
/// | value | form |
/// |---|---|
/// | date | `{"$date": "2016-11-05T00:53:20Z"}`, in UTC, with 3, 6 or 9 digits of a fraction if it has one |
/// | a date beyond 999,999 years, or no number | `{"$secondsSince2001": 1e+300}` |
/// | data, UUID, URL, set | `{"$data": "base64"}`, `{"$uuid": "…"}`, `{"$url": "…"}`, `{"$set": […]}` |
/// | NaN, infinities | `{"$double": "nan"}`, `"inf"`, `"-inf"` |
/// | object of an unknown class | `{"$class": "Message", …}`, then its fields |
/// | dictionary with keys other than strings | `{"$dictionary": [[key, value], …]}` |
/// | reference | `{"$ref": "$.sender"}`, the path of the same object |
/// | undecodable bytes | `{"$hex": "…", "error": "…"}`; with `"$size"`, the number of all bytes, if some are missing |
/// | damage inside a good value | `{"error": "…"}` |
/// | what a limit left out | `{"$omitted": "12 more values"}`; in an object the member `"$omitted"` |
///
/// A key of the data itself that begins with `$` is written with one more `$`. Strings are Unicode: decoding has
/// replaced halves of surrogate pairs by U+FFFD, which ``DecodedObject`` says. Duplicate keys are all written.
extension DecodedValue {
    package var json: String {
        var bytes: [UInt8] = []
        appendJSON(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the JSON form, in UTF-8 without a line break.
    ///
    /// - Complexity: O(size)
    package func appendJSON(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes.append("null")
        case .bool(let bool): bytes.append(bool ? "true" : "false")
        case .integer(let integer): bytes.append(integer.description)
        case .unsigned(let integer): bytes.append(integer.description)
        case .number(let text): bytes.append(text)
        case .double(let double): bytes.appendJSON(double)
        case .string(let string): bytes.appendJSON(string)
        case .array(let values): bytes.appendJSON(values)
        case .dictionary(let fields): bytes.append(dictionary: fields)
        default: bytes.append(tagged: self)
        }
    }
}
