/* Stands in the place of /dev/i2c-*: what is written goes to $I2C_BYTES, the length before each transfer. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/i2c-dev.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static long address;

int open(const char *path, int flags, ...)
{
    int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
    if (strcmp(path, getenv("I2C_DEVICE")))
        return real(path, flags);
    return real(getenv("I2C_BYTES"), O_WRONLY | O_CREAT | O_TRUNC, 0600);
}

int ioctl(int file, unsigned long request, ...)
{
    (void)file;
    va_list rest;
    va_start(rest, request);
    address = va_arg(rest, long);
    va_end(rest);
    return request == I2C_SLAVE ? 0 : -1;
}

ssize_t write(int file, const void *bytes, size_t length)
{
    ssize_t (*real)(int, const void *, size_t) = dlsym(RTLD_NEXT, "write");
    unsigned char head[2] = { length >> 8, length & 255 };
    if (address != 0x3C) {
        errno = EREMOTEIO;
        return -1;
    }
    real(file, head, 2);
    return real(file, bytes, length);
}
