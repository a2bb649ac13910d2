#include "options.h"

#include "base/buf.h"

/* One screen of 24 lines would be too few; by subject, as in the manual. */
static const char *const help[] = {
	"Usage: heaptop [OPTIONS] [--] PROGRAM [ARG...]   run and watch it\n",
	"       heaptop [OPTIONS] -p [PID|NAME]           watch a process\n",
	"       heaptop [OPTIONS] [PROGRAM] DUMP...       read saved dumps\n",
	"       heaptop exec [OPTIONS] [--] PROGRAM [ARG...]\n",
	"                     become PROGRAM, to be watched later with -p\n",
	"       heaptop ps                  list processes to watch\n",
	"       heaptop ctl [PID|NAME|--all] KEY[=VALUE]...\n",
	"                     read or set prof.active, prof.lg_sample, "
	"prof.dump\n",
	"       heaptop check PROGRAM|PID   whether and how it can be "
	"watched\n",
	"\n",
	"Snapshots, as text, once every interval:\n",
	"  -b                 always as text\n",
	"  -n COUNT           at most this many (a run ends with its program)\n",
	"  --interval=D       100ms, 30s, 5m, 12h; a bare number is seconds; "
	"1s\n",
	"\n",
	"One report instead, of a dump, a process, or, with -- before the\n",
	"program, of a run at its end:\n",
	"  --text             a table          --tree       a call tree\n",
	"  --top[=N]          its first N rows (10)\n",
	"  --list=REGEX       source lines of these functions\n",
	"  --sizes            by size of objects\n",
	"  --stats            the profile as a whole\n",
	"  --memory           what resident memory is made of\n",
	"  --growth           what grows, over two dumps or more, or with "
	"--seconds\n",
	"  --markdown         all that a team wants to know\n",
	"  --flamegraph       an SVG to zoom    --svg, --pdf, --ps, --png  a "
	"graph\n",
	"  --dot              a graph as text   --collapsed  stacks folded\n",
	"  --csv, --json, --callgrind, --speedscope, --pprof, --raw\n",
	"                     for other programs\n",
	"  --heap             a heap_v2 dump\n",
	"  --sum              add up all processes or dumps\n",
	"  --seconds=D        with -p: what changes within D from now\n",
	"\n",
	"What is grouped and counted:\n",
	"  --functions (the default), --lines, --files, --modules, "
	"--addresses,\n",
	"  --stacks, --threads\n",
	"  --inuse_space (the default), --inuse_objects, --alloc_space,\n",
	"  --alloc_objects\n",
	"  --show_bytes       plain numbers, not rounded\n",
	"  --cum              rows by what they hold with all they call\n",
	"  --invert           trees from the place of allocation up\n",
	"\n",
	"What is left out (REGEX: POSIX extended, anywhere in a function's "
	"name):\n",
	"  --focus=REGEX      stacks without it    --ignore=REGEX  those with "
	"it\n",
	"  --show=REGEX       frames without it    --hide=REGEX    those with "
	"it\n",
	"                     (as jeprof has it: --retain, --exclude)\n",
	"  --thread=ID        all other threads; '*': a report for each\n",
	"  --pool=NAME        malloc; a pool of the program's own instead\n",
	"  --min-size=SIZE, --max-size=SIZE\n",
	"                     stacks whose average object is smaller, or not\n",
	"  --nodecount=80, --nodefraction=0.005, --edgefraction=0.001,\n",
	"  --maxdegree=8      small nodes and edges of a graph; the first two "
	"also\n",
	"                     rows of a table\n",
	"\n",
	"Against something else:\n",
	"  --base=FILE        less what a dump, recording or saved --text "
	"report had\n",
	"  --diff_base=FILE   the same with signs\n",
	"  --drop_negative    what shrank counts as nothing\n",
	"  --fail-above=SIZE[,REGEX], --fail-growth=SIZE[,REGEX]\n",
	"                     status 3 if stacks (with REGEX) hold, or have "
	"grown by,\n",
	"                     more than SIZE; alone or with a report\n",
	"  --lib_prefix=A,B   look for libraries below these directories, "
	"too\n",
	"\n",
	"How a program that heaptop starts is sampled:\n",
	"  -s SIZE            one allocation in about SIZE bytes; 64K, with "
	"exec 512K\n",
	"  --exact            all of them\n",
	"  --max-depth=N      frames of a stack that are kept; 128\n",
	"  --conf=STRING      more options, key:value,key:value\n",
	"\n",
	"On the screen:\n",
	"  --color=auto|never|16|256, --theme=auto|dark|light, --ascii, "
	"--no-mouse\n",
	"  --plain            no screen: sentences, and commands by line\n",
	"\n",
	"  --target-output=FILE\n",
	"                     the program's output goes to FILE, too\n",
	"  -o FILE            write snapshots or the report to FILE\n",
	"  --version, --help\n",
	"\n",
	"Options may be shortened, may have _ for -, and take their value "
	"behind\n",
	"= or a blank. The exit status is the program's own; 125 if heaptop\n",
	"failed, 126 not executable, 127 not found. Without a program: 0 "
	"done,\n",
	"1 not (all) done, 2 no such file, 3 a gate failed. Bad usage is 2.\n",
};

void
options_help(struct buf *b)
{
	for (size_t i = 0; i < sizeof help / sizeof *help; i++)
		buf_puts(b, help[i]);
}
