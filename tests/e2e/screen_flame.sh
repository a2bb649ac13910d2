# Each key of Flame in a real terminal, on a program whose heap is known to the
# byte: what must be seen after it, which was not there before.
# shellcheck disable=SC2154 # names that come from there
. "$SRC/tests/tmux.sh"

HEAPTOP_SOURCE_PATH=$SRC # the compiler may have had a relative name
export HEAPTOP_SOURCE_PATH
screen 120x30 "$HEAPTOP" --exact --interval=100ms --target-output=log \
    "$obeys" "$orders"
tell apple 3072
tell pear 2048
tell plums 1024
shows '^ live 6\.0 MiB '

# The stack selected before is selected here.
press 4 '\[4 Flame\].* live bytes · callers ↓ callees$'
shows '^ .* › main › obey › apple +50\.0% of all$'
shows '▌apple  .*▏basket  .*▏plum$'
shows '^─ apple .*obeys\.c:[0-9]+ +obeys ─+ 3\.0 MiB  50\.0% ──$'
shows '3\.0 MiB live in and below; 3\.0 MiB self'
shows '[0-9]+ ▸ +kept = put\(&apples, malloc\(size\)\);'

# Over the bars, by arrows and letters.
press Right '› obey › basket +33\.3% of all$'
press Right '› obey › plum +16\.7% of all$'
press h '› obey › basket '
press Down '› obey › basket › pear '
press Up '› obey › basket +33'
press j '› basket › pear '
press k '› obey › basket +33'
press Up '› main › obey +100\.0% of all$'
press Home '^ all +100\.0% of all$'
press End '› basket › pear ' # where one was, not the widest
press PageUp '^ all +100\.0% of all$'
press PageDown '› basket › pear '

# Roots.
press Home '^ all +100'
press G '› basket › pear '
press Up '› obey › basket +33'
press Enter ' 2 levels$'
shows '^ ▌basket$'
press BSpace '▏apple  .*▌basket '
press z ' 2 levels$'
press z '▏apple  .*▌basket '
press Enter ' 2 levels$'
press Down '100\.0% of the top bar, 33\.3% of all$'
press Escape '▏apple  .*▏basket '

# Finding.
press / '^ /  '
type ap
shows '^ / ap .* 1 bar  3\.0 MiB  50\.0% +↵ find  esc clear$'
press Enter '1 of 1 found'
shows '› obey › apple '
press / '^ /  '
type p
press Enter '1 of 3 found'
press n '2 of 3 found'
press N '1 of 3 found'
press N '3 of 3 found'
keys Escape
hides ' found '

# The other way round: sites first.
press Home '^ all +100'
press i 'callees ↓ callers$'
shows '▏apple  .*▏pear  .*▏plum$'
press Down '^ all ← apple +50\.0% of all$'
press Down '^ all ← apple ← obey +50\.0% of all$'
press i 'callers ↓ callees$'
shows '› main › obey +100\.0% of all$'

# What changed, and how old it is.
keys a
shows '^ 0:0.*A [0-9]+:[0-9][0-9]'
tell pear 1024
press D 'callers ↓ callees · change A→B$'
shows '▏basket \+1\.0 MiB'
press D 'callers ↓ callees · median age$'
press D ' live bytes · callers ↓ callees$'
press m ' live objects · callers ↓ callees$'
keys m m m
shows ' live bytes · callers ↓ callees$'

# The mouse: a click selects, a second one zooms.
press Home '^ all +100'
click 10 8
shows '^ all › _start '
click 10 8
hides '[▏▌]all$'
shows '^ ▌_start$'
press BSpace '^ ▏all$'

# To the other views and back.
press End '› obey › '
press t '\[3 Tree\]'
press f '\[4 Flame\]'
press Tab 'heaviest of 1 · esc back$'
press Escape ' callers ↓ callees$'
press 1 '\[1 Top\]'
keys q
