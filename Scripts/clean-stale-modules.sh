#!/bin/sh
# clean-stale-modules.sh ROOT BUILD: removes the objects of modules that a build would wrongly keep.
#
# Swift compiles a file again if a declaration changes that it uses, also one of another module. But if A's type becomes
# larger, B's types that hold it do too, and of a module that uses only B's nothing is compiled again: its old code finds
# B's properties in their old places and crashes. So each module has a list of what decides the layout of its types; where
# that differs from the list of the last build, all modules that import it, directly or not, lose their objects.
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

changed=
for folder in $(folders); do
    name=${folder##*/}
    find "$folder" -name '*.swift' | LC_ALL=C sort | xargs awk -f "$root/Scripts/stored-properties.awk" >"$lists/$name.new"
    [ ! -e "$lists/$name" ] || cmp -s "$lists/$name" "$lists/$name.new" || changed="$changed $name"
done
if [ -n "$changed" ]; then
    imports | awk -v changed="$changed" '
        BEGIN { split(changed, names, " "); for (i in names) isStale[names[i]] = 1 }
        { from[NR] = $1; to[NR] = $2 }
        END {
            do {
                hasGrown = 0
                for (i = 1; i <= NR; i++) if (isStale[to[i]] && !isStale[from[i]]) { isStale[from[i]] = hasGrown = 1; print from[i] }
            } while (hasGrown)
        }' | while read -r module; do
        # The folder TestRunner has the program test-runner, Benchmarks yap-bench.
        program=$(echo "$module" | sed -E 's/([a-z])([A-Z])/\1_\2/g; s/^Benchmarks$/yap_bench/' | tr '[:upper:]' '[:lower:]')
        rm -rf "$build"/*/debug/"$module".build "$build"/*/debug/"$program".build
    done
fi
for list in "$lists"/*.new; do mv "$list" "${list%.new}"; done
