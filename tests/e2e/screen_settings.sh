# The user's settings: looks, keys, what is wrong with them; and that nothing
# keeps heaptop from starting.
# shellcheck disable=SC2154 # names that come from there
. "$SRC/tests/tmux.sh"

# What is said when heaptop has ended; the screen shows one sentence a time.
XDG_CONFIG_HOME=$here/c
export XDG_CONFIG_HOME
mkdir -p c/heaptop
config=c/heaptop/config

# watch OPTIONS...: with the file as it is now
watch() {
	screen 120x30 "$HEAPTOP" "$@" --exact "$obeys" "$orders"
	tell apple 1024
	shows apple
}

# What is open, showing REGEX, is closed
closes() {
	keys Escape
	hides "$1"
}

finish() {
	press "${1:-q}" 'is still running'
	keys t
	left 'signal 15'
}

cat >$config <<'END'
# how I like it
glyphs = ascii
interval = 200ms
color = never
mouse = off

key export = F7 E
key quit   = Q
key down   = j J
END
watch
shows '^ heaptop .*\* live  every 200ms$'
shows '^> +1\.0 MiB.*apple'
[ "$(ask '#{mouse_any_flag}')" = 0 ] || fail 'the mouse is on'
press F7 'Export what is shown'
closes 'Export what is shown'
press E 'Export what is shown'
closes 'Export what is shown'
press F1 '\+- Keys -'
shows ' F7 E +export what is shown'
closes 'Keys -'
keys e # which does nothing now
finish Q

# Options stand above them.
watch --interval=300ms
shows 'every 300ms$'
finish Q

# What is wrong is told by file and line; the rest counts.
cat >$config <<'END'
theme = pink
interval = 250ms
key fly = x
key export = Esc
key help = q
END
watch
shows 'every 250ms$'
finish F10
for line in "1: theme takes auto" '3: there is no action fly' \
    '4: Esc is the only key of back'; do
	prints "^heaptop: $here/$config:$line"
done

# Changed while it runs.
rm $config
watch
shows '● live'
[ "$(ask '#{mouse_any_flag}')" = 1 ] || fail 'the mouse is off'
for setting in glyphs=ascii mouse=off color=never 'key export = F7' \
    glyphs=unicode mouse=on theme=light; do
	press : '^ : '
	type "set $setting"
	press Enter "^ $setting;"
done
[ "$(ask '#{mouse_any_flag}')" = 1 ] || fail 'the mouse is not on again'
press F7 'Export what is shown'
closes 'Export what is shown'
press : '^ : '
type 'set interval=150ms'
press Enter 'a snapshot every 150ms'
press : '^ : '
type 'set theme=pink'
press Enter 'theme takes auto, dark or light'
finish

# What is no file of ours is not read, which is said.
odd() {
	watch
	finish
	prints "^heaptop: .*$1"
	rm -rf "$config"
}

mkdir $config
odd "$config is a directory"
mkfifo $config
odd "$config is no regular file"
ln -s /dev/zero $config
odd "$config is no regular file"
ln -s config $config
odd "cannot read .*$config"
echo 'theme = dark' >$config
chmod o+w $config
odd "$config may be written by everybody"
head -c 70000 /dev/zero | tr '\0' '#' >$config
odd "$config is larger than 64 KiB"
head -c 2000 /dev/urandom >$config
odd "$config:1: this is no line of settings"

# What is no screen minds them as little as before.
echo 'interval = 1h' >$config
"$HEAPTOP" -n 2 --interval=100ms -- sh -c 'sleep 0.5' 2>out
"$HEAPTOP" --text -- "$TARGETS/truth" >out 2>&1 </dev/null
! grep -q config out || fail "settings are told of: $(cat out)"
