#!/bin/sh
# typecheck.sh BUILD FILE: reads a program in Swift as the compiler does, with the modules in the folder of a debug build. Prints what the
# compiler says. Tests use it for programs that must not compile.
set -eu

build=$1
file=$2
cd "$(dirname "$0")/.."
modules=
for map in Sources/*/module.modulemap Sources/*/include/module.modulemap; do
    if [ -f "$map" ]; then modules="$modules -Xcc -fmodule-map-file=$map"; fi
done
# Only main.swift has a top level that runs.
case $file in
*/main.swift) kind= ;;
*) kind=-parse-as-library ;;
esac
swiftc -typecheck $kind -swift-version 6 -I "$build/Modules" $modules "$file" 2>&1
