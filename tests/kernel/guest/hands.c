/* The hands and eyes of a player inside the guest: reads one command a line, answers with one line each.
 *
 *   start SLOT COMMAND...           run a command of the host's files, its output on the console
 *   say SLOT TEXT...                write a line to its standard input
 *   stop SLOT SIGNAL                send a signal to it; answers with its exit status
 *   tap OFFSET LEAD MS BOUNCES SEED  wait, close a contact to ground, open it after MS; it bounces on both ways
 *   value OFFSET                    level of a line
 *   glass 0|1                       unplug or plug in the display
 *   write PATH [TEXT]               write to a file of the kernel's
 *   mount DEVICE                    the journal's disk
 *   unmount
 *   wait MS                         let so much of the guest's time go by
 *   clock SECONDS                   set the wall clock, s since 1970
 *
 * Offsets count the lines of all chips: those of the second begin at LINES.
 *
 * Between two edges it always sleeps: a driver that spins starves the guest, and edges coalesce. It runs before
 * everything else in the guest, but the machine under the guest may still hold it up in the middle of a bounce, and
 * a contact that stays open long enough has been let go. So it counts what its edges amounted to: the least and the
 * most presses a debouncer may find with SETTLE_NS, reckoned from the clock before and after each edge.
 *
 * tap answers with the times of its first edge and of its release, ns of the monotonic clock, the least and the most.
 *
 * Where the guest's clock leaves out idle times, hours would go by while nobody tells it anything. Awake, it looks
 * for its next command again and again, after everything else in the guest, so that the clock goes by instructions.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <poll.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CHIPS = 2, LINES = 32, ALL = CHIPS * LINES, SLOTS = 4, GAP_US = 1000, SETTLE_NS = 6000000 };

static const char *chips[CHIPS];
static FILE *out;
static int port, awake;
static int pulls[ALL];
static struct {
	long long before, after; /* when the contact opened last; 0: never */
} opened[ALL];
static int least, most;
static unsigned chance;
static struct {
	pid_t pid; /* 0: nothing runs */
	int input;
} slots[SLOTS];

static void answer(const char *format, ...)
{
	va_list values;

	va_start(values, format);
	vfprintf(out, format, values);
	va_end(values);
	fputc('\n', out);
	fflush(out);
}

static long long now(void)
{
	struct timespec at;

	clock_gettime(CLOCK_MONOTONIC, &at);
	return at.tv_sec * 1000000000LL + at.tv_nsec;
}

static void doze(long us)
{
	struct timespec nap = { us / 1000000, us % 1000000 * 1000 };

	while (nanosleep(&nap, &nap))
		;
}

static int draw(int below)
{
	chance = chance * 1664525u + 1013904223u;
	return below ? (int)((chance >> 8) % (unsigned)below) : 0;
}

static int attribute(int offset, const char *name, int flags)
{
	char path[256];

	snprintf(path, sizeof path, "%s/sim_gpio%d/%s", chips[offset / LINES], offset % LINES, name);
	return open(path, flags);
}

static long long pull(int offset, int closed)
{
	const char *way = closed ? "pull-down" : "pull-up";
	long long before, after;

	if (pulls[offset] <= 0)
		pulls[offset] = attribute(offset, "pull", O_WRONLY);
	before = now();
	if (pwrite(pulls[offset], way, strlen(way), 0) < 0)
		return -1;
	after = now();
	if (!closed) {
		opened[offset].before = before;
		opened[offset].after = after;
	} else {
		least += !opened[offset].after || before - opened[offset].after >= SETTLE_NS;
		most += !opened[offset].after || after - opened[offset].before >= SETTLE_NS;
	}
	return before;
}

/* Move a contact; it lets go again as often as told before it rests. */
static long long move(int offset, int closed, int bounces)
{
	long long first = pull(offset, closed);
	int edge;

	for (edge = 0; edge < 2 * bounces; edge++) {
		doze(GAP_US + draw(GAP_US));
		pull(offset, edge % 2 ? closed : !closed);
	}
	return first;
}

static void tap(const char *words)
{
	int offset, lead, ms, bounces;
	long long down, up;

	if (sscanf(words, "%d %d %d %d %u", &offset, &lead, &ms, &bounces, &chance) != 5 || offset < 0 || offset >= ALL) {
		answer("error tap: %s", words);
		return;
	}
	least = most = 0;
	doze(lead * 1000L);
	down = move(offset, 1, draw(bounces + 1));
	doze(ms * 1000L);
	up = move(offset, 0, draw(bounces + 1));
	answer("ok %lld %lld %d %d", down, up, least, most);
}

static int slot(char **words)
{
	long number = strtol(*words, words, 10);

	*words += strspn(*words, " ");
	return number >= 0 && number < SLOTS ? (int)number : 0;
}

static void start(char *words)
{
	char *arguments[64], *word;
	struct sched_param common = { 0 };
	int at = slot(&words), count = 0, status, ends[2];

	for (word = strtok(words, " "); word && count < 63; word = strtok(NULL, " "))
		arguments[count++] = word;
	arguments[count] = NULL;
	if (slots[at].pid > 0 && waitpid(slots[at].pid, &status, WNOHANG) == 0) {
		answer("error something runs already");
		return;
	}
	if (pipe2(ends, O_CLOEXEC)) {
		answer("error pipe");
		return;
	}
	slots[at].pid = fork();
	if (slots[at].pid == 0) {
		sched_setscheduler(0, SCHED_OTHER, &common);
		dup2(ends[0], 0);
		execv(arguments[0], arguments);
		perror(arguments[0]);
		_exit(127);
	}
	close(ends[0]);
	slots[at].input = ends[1];
	answer("ok %d", (int)slots[at].pid);
}

static void say(char *words)
{
	int at = slot(&words);
	size_t length = strlen(words);

	words[length] = '\n';
	if (slots[at].pid > 0 && write(slots[at].input, words, length + 1) == (ssize_t)length + 1)
		answer("ok");
	else
		answer("error nobody listens");
}

static void stop(char *words)
{
	int at = slot(&words), status = 0;

	if (slots[at].pid <= 0) {
		answer("error nothing runs");
		return;
	}
	kill(slots[at].pid, atoi(words));
	waitpid(slots[at].pid, &status, 0);
	close(slots[at].input);
	slots[at].pid = 0;
	answer("ok %d", WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

static void value(int offset)
{
	char digit = '?';
	int file = attribute(offset, "value", O_RDONLY);

	if (file < 0 || read(file, &digit, 1) != 1)
		digit = '?';
	if (file >= 0)
		close(file);
	answer("ok %c", digit);
}

static void put(const char *path, const char *text)
{
	int file = open(path, O_WRONLY);
	ssize_t written = file >= 0 ? write(file, text, strlen(text)) : -1;

	if (file >= 0)
		close(file);
	if (written >= 0)
		answer("ok");
	else
		answer("error %s: %m", path);
}

static void put_words(char *words)
{
	char *text = strchr(words, ' ');

	if (text)
		*text++ = 0;
	put(words, text ? text : "\n");
}

static void set_clock(const char *seconds)
{
	struct timespec at = { atoll(seconds), 0 };

	answer(clock_settime(CLOCK_REALTIME, &at) ? "error clock: %m" : "ok");
}

static void obey(char *line)
{
	if (!strncmp(line, "tap ", 4))
		tap(line + 4);
	else if (!strncmp(line, "value ", 6))
		value(atoi(line + 6));
	else if (!strncmp(line, "glass ", 6))
		put("/dev/glass", line + 6);
	else if (!strncmp(line, "write ", 6))
		put_words(line + 6);
	else if (!strncmp(line, "start ", 6))
		start(line + 6);
	else if (!strncmp(line, "say ", 4))
		say(line + 4);
	else if (!strncmp(line, "stop ", 5))
		stop(line + 5);
	else if (!strncmp(line, "wait ", 5)) {
		doze(atol(line + 5) * 1000);
		answer("ok");
	} else if (!strncmp(line, "clock ", 6))
		set_clock(line + 6);
	else if (!strncmp(line, "mount ", 6))
		answer(mount(line + 6, "/host/mnt", "ext4", MS_NOATIME, "") ? "error mount: %m" : "ok");
	else if (!strcmp(line, "unmount"))
		answer(umount("/host/mnt") ? "error unmount: %m" : "ok");
	else
		answer("error what is: %s", line);
}

/* Wait for a line; it ends where its newline was. */
static char *listen_for(void)
{
	static char said[8192];
	static size_t held, used;
	struct sched_param last = { 0 }, first = { 10 };
	struct pollfd wait = { port, POLLIN, 0 };
	ssize_t got;
	char *end;

	memmove(said, said + used, held -= used);
	used = 0;
	if (awake)
		sched_setscheduler(0, SCHED_IDLE, &last);
	while (!(end = memchr(said, '\n', held))) {
		if (held == sizeof said)
			held = 0;
		if (!awake)
			poll(&wait, 1, -1);
		got = read(port, said + held, sizeof said - held);
		if (got > 0)
			held += (size_t)got;
	}
	if (sched_setscheduler(0, SCHED_FIFO, &first))
		perror("hands: no priority");
	*end = 0;
	used = (size_t)(end - said) + 1;
	return said;
}

int main(int count, char **arguments)
{
	static char line[8192];

	if (count != 5)
		return 2;
	awake = !strcmp(arguments[1], "awake");
	chips[0] = arguments[2];
	chips[1] = arguments[3];
	port = open(arguments[4], O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	/* A port can be opened only once. On a serial line others write, too: an answer has to wait for its turn. */
	if (port < 0 || !(out = fdopen(isatty(port) ? open(arguments[4], O_WRONLY | O_CLOEXEC | O_NOCTTY) : dup(port), "w"))) {
		perror(arguments[4]);
		return 1;
	}
	answer("ready");
	for (;;)
		obey(strcpy(line, listen_for()));
}
