/* What the display hears, for the line that is there: its bytes as lines "glass HEX", each written at once. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int count, char **arguments)
{
	static unsigned char heard[900];
	static char line[2 * sizeof heard + 8];
	int from = open("/dev/glass", O_RDONLY), to = count == 2 ? open(arguments[1], O_WRONLY | O_NOCTTY) : -1;
	ssize_t length, at;

	if (from < 0 || to < 0) {
		perror("glass");
		return 1;
	}
	while ((length = read(from, heard, sizeof heard)) > 0) {
		char *end = stpcpy(line, "glass ");

		for (at = 0; at < length; at++)
			end += sprintf(end, "%02x", heard[at]);
		*end++ = '\n';
		if (write(to, line, (size_t)(end - line)) != end - line)
			return 1;
	}
	return 0;
}
