#!/bin/sh
# Shell scripts are free of what shellcheck knows to go wrong.
command -v shellcheck >/dev/null || { echo "shellcheck is not here"; exit 77; }
cd "$SRC" || exit 1
failed=0
for script in configure .ci/run assets/compat/bin/* tests/*.sh tests/*/*.sh; do
	case $(head -n 1 "$script") in
	*bash*) shell='bash' ;;
	*) shell='sh' ;; # with or without a first line that says so
	esac
	shellcheck -S warning -s $shell "$script" || failed=1
done
exit $failed
