#!/bin/sh
#
# Types the two commands of the README on a Debian 12 that has nothing yet:
# a minimal system made by debootstrap in a temporary directory, into which
# the last commit is copied, once for each command.  Needs root, the network
# and a few minutes; run by `make chroot-check' only.
#
# The mirror is the one this machine uses.  TMPDIR should allow programs and
# devices.

set -e
cd "$(dirname "$0")/.."
suite=bookworm

say() {
	echo "chroot: $*" >&2
}

[ "$(id -u)" = 0 ] || { say "only root can make a system of its own"; exit 1; }
command -v debootstrap >/dev/null || { say "please install debootstrap"; exit 1; }

# The first archive in apt's lists that has $suite, in either format.
mirror_of() {
	cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list \
	    2>/dev/null | sed 's/\[[^]]*\]//' |
	    awk -v s=$suite '$1 == "deb" && $3 == s { print $2 }'
	cat /etc/apt/sources.list.d/*.sources 2>/dev/null |
	    awk -v s=$suite '
		/^URIs:/ { uri = $2 }
		/^Suites:/ { for (i = 2; i <= NF; i++) if ($i == s) print uri }'
}
mirror=$(mirror_of | head -n 1)
[ -n "$mirror" ] || { say "no archive of $suite in /etc/apt"; exit 1; }

root=$(mktemp -d "${TMPDIR:-/tmp}/heaptop-chroot.XXXXXX")
chmod 755 "$root" # apt leaves root's rights to download
finish() {
	for m in dev/pts dev proc; do
		! mountpoint -q "$root/$m" || umount -l "$root/$m"
	done
	rm -rf --one-file-system "$root"
}
trap finish EXIT
trap 'exit 1' HUP INT TERM

say "making a system from $mirror"
debootstrap --variant=minbase $suite "$root" "$mirror" >"$root.log" 2>&1 || {
	tail -n 20 "$root.log" >&2
	exit 1
}
rm -f "$root.log"

# As on this machine: how to reach the archive; and no services started.
for f in /etc/resolv.conf /etc/hosts; do
	[ ! -f $f ] || cp -L $f "$root$f"
done
for f in /etc/apt/apt.conf /etc/apt/apt.conf.d/*proxy*; do
	[ ! -f "$f" ] || cp "$f" "$root$f"
done
printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
chmod 755 "$root/usr/sbin/policy-rc.d"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount --make-rslave "$root/dev"

status=0
for goal in demo check; do
	say "./configure --install-deps && make $goal"
	mkdir "$root/$goal"
	git archive HEAD | tar -x -C "$root/$goal"
	if chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
	    ${http_proxy:+"http_proxy=$http_proxy"} \
	    sh -c "cd /$goal && ./configure --install-deps && make $goal" \
	    </dev/null; then
		say "make $goal: fine"
	else
		status=1
		say "make $goal: FAILED"
	fi
done
exit $status
