#!/bin/sh
# clean-stale-modules.sh ROOT BUILD: removes the objects of modules that a build would wrongly keep.
#
# Swift compiles a file again if a declaration changes that it uses, also one of a module that it imports. What it misses is what reaches
# a module through another one:
# - If A's type becomes larger, B's types that hold it do too. A module that uses only B's is not compiled again: its old code finds B's
#   properties in their old places and crashes.
# - If B re-exports A and a function of A gets another signature, a module that imports only B calls the old one: it does not link.
# So each module has two lists, of what decides the layout of its types and of its signatures. Where the first differs from that of the last
# build, all modules that import it, directly or not, lose their objects; where the second does, those that import a module that re-exports it.
# Only debug builds are incremental; release builds compile whole modules.
set -eu
root=$1
build=$2
lists=$build/layout
mkdir -p "$lists"

folders() {
    for folder in "$root"/Sources/*/ "$root"/Demo/*/ "$root"/Benchmarks/ "$root"/Tests/Support/*/ "$root"/Tests/*Tests/; do
        [ ! -d "$folder" ] || [ -z "$(find "$folder" -name '*.swift' -print -quit)" ] || echo "${folder%/}"
    done
}

# Writes a line `MODULE imports MODULE` for each import.
imports() {
    folders | while read -r folder; do
        find "$folder" -name '*.swift' -exec sed -n -E 's/^(@[a-zA-Z_]+ )*import ([A-Za-z]+).*/\2/p' {} + | sort -u |
            sed "s|^|${folder##*/} |"
    done
}

# Whether a list is another than at the last build.
differs() { [ -e "$lists/$1" ] && ! cmp -s "$lists/$1" "$lists/$1.new"; }

# Writes the module that a file belongs to.
folder_of() {
    folders | while read -r folder; do
        case $1 in "$folder"/*) echo "${folder##*/}" ;; esac
    done
}

# Writes the modules of two columns `MODULE imports MODULE` that lead to one of those given, directly or not.
importers() {
    awk -v changed="$1" '
        BEGIN { split(changed, names, " "); for (i in names) isStale[names[i]] = 1 }
        { from[NR] = $1; to[NR] = $2 }
        END {
            do {
                hasGrown = 0
                for (i = 1; i <= NR; i++) if (isStale[to[i]] && !isStale[from[i]]) { isStale[from[i]] = hasGrown = 1; print from[i] }
            } while (hasGrown)
        }'
}

layouts=
signatures=
for folder in $(folders); do
    name=${folder##*/}
    for kind in layout signature; do
        find "$folder" -name '*.swift' | LC_ALL=C sort | xargs awk -v kind=$kind -f "$root/Scripts/declarations.awk" >"$lists/$name.$kind.new"
    done
    differs "$name.layout" && layouts="$layouts $name"
    differs "$name.signature" && signatures="$signatures $name"
done
if [ -n "$layouts$signatures" ]; then
    imports >"$lists/imports"
    {
        importers "$layouts" <"$lists/imports"
        # Of those that re-export it, all that import them.
        exporters=$(grep -rlE '^@_exported import' "$root"/Sources "$root"/Demo "$root"/Tests --include='*.swift' |
            while read -r file; do
                for module in $signatures; do
                    grep -qE "^@_exported import $module\$" "$file" && folder_of "$file"
                done
            done | sort -u | tr '\n' ' ')
        [ -z "$exporters" ] || importers "$exporters" <"$lists/imports"
    } | sort -u | while read -r module; do
        # The folder TestRunner has the program test-runner, Benchmarks yap-bench.
        program=$(echo "$module" | sed -E 's/([a-z])([A-Z])/\1_\2/g; s/^Benchmarks$/yap_bench/' | tr '[:upper:]' '[:lower:]')
        for objects in "$build"/*/debug/"$module".build "$build"/*/debug/"$program".build; do
            [ ! -d "$objects" ] || find "$objects" \( -name '*.o' -o -name '*.swiftdeps' -o -name '*.priors' \) -delete
        done
    done
fi
for list in "$lists"/*.new; do mv "$list" "${list%.new}"; done
