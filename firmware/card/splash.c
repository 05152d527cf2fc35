/* Draws the box's first sign of life: from the initramfs, long before Python. splash [CONTROLLER [DEVICE [ADDRESS]]]
   What it sends is in splash.h, made by `python -m tests.firmware.test_splash`. Ends with 1 where no display answers. */
#include <fcntl.h>
#include <linux/i2c-dev.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "splash.h"

int main(int count, char **words)
{
    const char *controller = count > 1 ? words[1] : "ssd1309";
    int bus = open(count > 2 ? words[2] : "/dev/i2c-1", O_RDWR);
    if (bus < 0 || ioctl(bus, I2C_SLAVE, count > 3 ? strtol(words[3], NULL, 0) : 0x3C) < 0)
        return 1;
    for (size_t kind = 0; kind < sizeof scripts / sizeof *scripts; kind++) {
        if (strcmp(controller, scripts[kind].controller))
            continue;
        /* Each transfer has its length before it, PAGE and a number stand for one of the picture, 0 is the end. */
        for (const unsigned char *at = scripts[kind].transfers; *at; ) {
            const unsigned char *bytes = *at & PAGE ? picture[*at & ~PAGE] : at + 1;
            ssize_t length = *at & PAGE ? (ssize_t)sizeof *picture : *at;
            if (write(bus, bytes, length) != length)
                return 1;
            at += *at & PAGE ? 1 : 1 + *at;
        }
        return 0;
    }
    return 1;
}
