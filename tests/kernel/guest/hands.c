/* The hands and eyes of a player inside the guest: reads one command a line, answers with one line each.
 *
 *   start COMMAND...                run a command of the host's files, its output on the console
 *   stop SIGNAL                     send a signal to what was started; answers with its exit status
 *   tap OFFSET LEAD MS BOUNCES SEED  wait, close a contact to ground, open it after MS; it bounces on both ways
 *   storm OFFSETS PRESSES BOUNCES SEED   tap the contacts in turn, as fast as fingers can be told apart
 *   value OFFSET                    level of a line
 *   glass 0|1                       unplug or plug in the display
 *
 * Between two edges it always sleeps: a driver that spins starves the guest, and edges coalesce. It runs before
 * everything else in the guest, but the machine under the guest may still hold it up in the middle of a bounce, and
 * a contact that stays open long enough has been let go. So it counts what its edges amounted to: the least and the
 * most presses a debouncer may find with SETTLE_NS, reckoned from the clock before and after each edge.
 *
 * tap answers with the times of its first edge and of its release, ns of the monotonic clock; both tap and storm
 * end with the least and the most.
 */
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LINES = 64, GAP_US = 1000, SETTLE_NS = 6000000 };

static const char *chip;
static FILE *out;
static int pulls[LINES];
static struct {
	long long before, after; /* when the contact opened last; 0: never */
} opened[LINES];
static int least, most;
static unsigned chance;
static pid_t started;

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

	snprintf(path, sizeof path, "%s/sim_gpio%d/%s", chip, offset, name);
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

	if (sscanf(words, "%d %d %d %d %u", &offset, &lead, &ms, &bounces, &chance) != 5 || offset < 0 || offset >= LINES) {
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

static int offsets(char *words, int *found)
{
	int count = 0;
	char *word;

	for (word = strtok(words, ","); word && count < LINES; word = strtok(NULL, ","))
		found[count++] = atoi(word);
	return count;
}

static void storm(const char *words)
{
	char list[256];
	int lines[LINES], count, presses, bounces, press;

	if (sscanf(words, "%255s %d %d %u", list, &presses, &bounces, &chance) != 4 || !(count = offsets(list, lines))) {
		answer("error storm: %s", words);
		return;
	}
	least = most = 0;
	for (press = 0; press < presses; press++) {
		move(lines[press % count], 1, draw(bounces + 1));
		doze(12000 + draw(4000));
		move(lines[press % count], 0, draw(bounces + 1));
	}
	answer("ok %d %d", least, most);
}

static void start(char *words)
{
	char *arguments[64], *word;
	struct sched_param common = { 0 };
	int count = 0, status;

	for (word = strtok(words, " "); word && count < 63; word = strtok(NULL, " "))
		arguments[count++] = word;
	arguments[count] = NULL;
	if (started > 0 && waitpid(started, &status, WNOHANG) == 0) {
		answer("error something runs already");
		return;
	}
	started = fork();
	if (started == 0) {
		sched_setscheduler(0, SCHED_OTHER, &common);
		execv(arguments[0], arguments);
		perror(arguments[0]);
		_exit(127);
	}
	answer("ok %d", (int)started);
}

static void stop(const char *words)
{
	int status = 0;

	if (started <= 0) {
		answer("error nothing runs");
		return;
	}
	kill(started, atoi(words));
	waitpid(started, &status, 0);
	started = 0;
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

static void glass(const char *digit)
{
	int file = open("/dev/glass", O_WRONLY);
	int written = file >= 0 ? (int)write(file, digit, 1) : -1;

	if (file >= 0)
		close(file);
	answer(written == 1 ? "ok" : "error glass");
}

static void obey(char *line)
{
	line[strcspn(line, "\n")] = 0;
	if (!strncmp(line, "tap ", 4))
		tap(line + 4);
	else if (!strncmp(line, "storm ", 6))
		storm(line + 6);
	else if (!strncmp(line, "value ", 6))
		value(atoi(line + 6));
	else if (!strncmp(line, "glass ", 6))
		glass(line + 6);
	else if (!strncmp(line, "start ", 6))
		start(line + 6);
	else if (!strncmp(line, "stop ", 5))
		stop(line + 5);
	else
		answer("error what is: %s", line);
}

int main(int count, char **arguments)
{
	static char line[4096];
	struct sched_param first = { 10 };
	FILE *in;
	int port; /* can be opened only once at a time */

	if (count != 3)
		return 2;
	chip = arguments[1];
	port = open(arguments[2], O_RDWR | O_CLOEXEC);
	if (port < 0 || !(in = fdopen(port, "r")) || !(out = fdopen(dup(port), "w"))) {
		perror(arguments[2]);
		return 1;
	}
	if (sched_setscheduler(0, SCHED_FIFO, &first))
		perror("hands: no priority");
	answer("ready");
	while (fgets(line, sizeof line, in))
		obey(line);
	return 0;
}
