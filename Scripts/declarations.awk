# With `kind=layout`, prints the declarations that decide how values of Swift types lie in memory: types, stored properties, cases of enums;
# with `kind=signature`, those of functions that other files can call.
# A line-based reading of formatted sources; what it prints too much costs a compilation.
FNR == 1 { depth = 0; isType[0] = 1; parens = 0; inSignature = 0; inText = 0 }
{
    line = $0
    if (gsub(/"""/, "", line) == 1) { inText = !inText; if (!inText) next }
    else if (inText) next
    gsub(/\\"/, "", line)
    gsub(/"[^"]*"/, "\"\"", line)
    sub(/\/\/.*/, "", line)
    gsub(/^[ \t]+/, "", line)
    if (line == "") next
    startsType = line ~ /^([a-z@_()A-Z]+ )*(struct|class|enum|actor|extension|protocol) [A-Z]/ && line !~ /^([a-z@()]+ )*class (func|var)/
    startsSignature = line ~ /^([a-z@_()A-Z]+ )*(func |init[(?<]|subscript|deinit)/
    if (isType[depth] && startsSignature) inSignature = 1
    isComputed = line ~ /^[^=]*{/ && !startsType
    if (kind == "layout" && isType[depth] && !inSignature && !isComputed && (startsType || parens > 0 || line ~ /(^| )(let|var|case) /))
        print line
    if (kind == "signature" && isType[depth] && inSignature && line !~ /private /) { rest = line; sub(/ *{.*/, "", rest); print rest }
    opens = gsub(/[(\[]/, "", line); closes = gsub(/[)\]]/, "", line)
    parens += opens - closes
    if (parens < 0) parens = 0
    count = length(line)
    for (i = 1; i <= count; i++) {
        character = substr(line, i, 1)
        if (character == "{") { depth++; isType[depth] = startsType; startsType = 0; inSignature = 0 }
        else if (character == "}" && depth > 0) { depth--; parens = 0; inSignature = 0 }
    }
    if (parens == 0 && line !~ /[,(]$/ && line !~ /^(where|async|throws|->)/) inSignature = inSignature && line ~ /->$/
}
