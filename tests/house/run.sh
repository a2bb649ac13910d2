#!/bin/sh
# tests/run.sh counts right, says why, and takes no skip where CI is true.
set -u
script=$SRC/tests/run.sh
mkdir -p tree/tests/e2e tree/tests/unit
echo 'exit 0' >tree/tests/e2e/fine.sh
echo 'echo the reason; exit 77' >tree/tests/e2e/absent.sh
echo 'echo what went wrong; exit 3' >tree/tests/e2e/broken.sh
echo '[[ x == x ]]' | sed '1i#!/bin/bash' >tree/tests/e2e/bash.sh
echo '[ -z "$(ls)" ] && [ -d "$SRC" ] && [ "$LIB" = "$BUILD/libheaptop.so" ] &&
    [ -z "${LD_PRELOAD-}${MALLOC_CONF-}" ]' >tree/tests/e2e/env.sh
echo 'not compiled' >tree/tests/unit/test_lost.c

MALLOC_CONF=prof:true CI=false SRC=tree sh "$script" >out
[ $? = 1 ] || { echo "status of a failed run"; exit 1; }
cat >wanted <<'END'
FAIL unit/lost (status 1)
    it could not be built
SKIP e2e/absent the reason
ok e2e/bash
FAIL e2e/broken (status 3)
    what went wrong
ok e2e/env
ok e2e/fine
3 passed, 2 failed, 1 skipped
END
diff wanted out || exit 1

CI=false SRC=tree sh "$script" e2e/fine e2e/absent >out ||
    { echo "a skip failed"; cat out; exit 1; }
CI=true SRC=tree sh "$script" e2e/fine e2e/absent >out &&
    { echo "a skip was taken with CI=true"; cat out; exit 1; }
tail -n 1 out | grep -qx '1 passed, 1 failed, 0 skipped'
