#!/bin/sh
# make demo without a terminal: snapshots of the demo, in 30 seconds.
set -u
timeout 30 setsid "$MAKE" -C "$BUILD" --no-print-directory demo >out 2>&1 </dev/null
status=$?
# The demo leaks in open_session, and prints so itself at its end; a snapshot
# names it too.
named=$(grep -c open_session out)
[ $status = 0 ] && [ "$named" -ge 2 ] && exit
cat out
echo "status $status, open_session on $named lines"
exit 1
