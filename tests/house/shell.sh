#!/bin/sh
# Shell scripts are free of what shellcheck knows to go wrong.
command -v shellcheck >/dev/null || { echo "shellcheck is not here"; exit 77; }
cd "$SRC" || exit 1
shellcheck -S warning configure .ci/run tests/*.sh tests/house/*.sh
