#!/bin/sh
# extract-symbols.sh BUILD OUT: writes the symbol graphs of the library products, from the modules in the folder of a debug build.
# A product has the symbols of the modules that it re-exports. `./run docs` and the test that counts undocumented symbols use it.
set -eu

build=$1
out=$2
cd "$(dirname "$0")/.."
mkdir -p "$out"
triple=$(swiftc -print-target-info | sed -n 's/.*"triple": *"\([^"]*\)".*/\1/p' | head -n 1)
products=$(sed -n 's/.*\.library(name: "\([^"]*\)".*/\1/p' Package.swift)
documented=" $(echo $products) "
for product in $products; do
    exported=
    for module in $(sed -n 's/^@_exported import //p' "Sources/$product/Exports.swift" 2>/dev/null); do
        # What two products re-export is documented with the first.
        case $documented in
        *" $module "*) ;;
        *) exported=${exported:+$exported,}$module documented="$documented$module " ;;
        esac
    done
    swift symbolgraph-extract -module-name "$product" -target "$triple" -minimum-access-level public \
        -skip-synthesized-members -output-dir "$out" ${exported:+"-experimental-allowed-reexported-modules=$exported"} \
        -I "$build/Modules" -I "$build/CNcurses.build" -I "$build/CPostgreSQL.build" -I Sources/CSQLite/include \
        -I Sources/CMutex/include -I Sources/CZlib
done
