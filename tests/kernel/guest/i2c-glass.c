// SPDX-License-Identifier: MIT OR GPL-2.0-only
/*
 * An I2C adapter with one listener on its bus. Whatever is written to the listener's address is acknowledged,
 * takes as long as it would at the given clock, and can be read from /dev/glass as records:
 *
 *   u64 monotonic time at the end of the transfer, ns; u16 address; u16 length; the bytes
 *
 * All in the machine's own byte order. Writing "0" to /dev/glass unplugs the listener, "1" plugs it in again.
 */
#include <linux/delay.h>
#include <linux/i2c.h>
#include <linux/kfifo.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/timekeeping.h>
#include <linux/uaccess.h>

static int number = 1;
module_param(number, int, 0444);
MODULE_PARM_DESC(number, "number of the bus");

static ushort address = 0x3c;
module_param(address, ushort, 0444);
MODULE_PARM_DESC(address, "address of the listener, 7 bits");

static uint khz = 400;
module_param(khz, uint, 0444);
MODULE_PARM_DESC(khz, "clock of the bus; 0: transfers take no time");

struct record {
	u64 at;
	u16 address;
	u16 length;
} __packed;

static DEFINE_KFIFO(records, u8, 1048576);
static DEFINE_MUTEX(lock);
static DECLARE_WAIT_QUEUE_HEAD(readers);
static bool absent;

static int take(const struct i2c_msg *msg)
{
	struct record record = { .address = msg->addr, .length = msg->len };
	u64 us = khz ? ((u64)msg->len + 1) * 9000 / khz : 0;

	if (absent || msg->addr != address)
		return -ENXIO;
	if (msg->flags & I2C_M_RD)
		return -EOPNOTSUPP; /* these displays cannot be read over I2C */
	if (us)
		usleep_range(us, us + 20);
	record.at = ktime_get_ns();
	mutex_lock(&lock);
	/* A reader that is too slow must show as a broken stream, not as a picture that never was. */
	if (kfifo_avail(&records) < sizeof(record) + msg->len) {
		mutex_unlock(&lock);
		pr_err("i2c-glass: nobody reads /dev/glass\n");
		return -ENOSPC;
	}
	kfifo_in(&records, (u8 *)&record, sizeof(record));
	kfifo_in(&records, msg->buf, msg->len);
	mutex_unlock(&lock);
	wake_up_interruptible(&readers);
	return 0;
}

static int glass_xfer(struct i2c_adapter *adapter, struct i2c_msg *msgs, int count)
{
	int i, error;

	for (i = 0; i < count; i++) {
		error = take(&msgs[i]);
		if (error)
			return error;
	}
	return count;
}

static u32 glass_functionality(struct i2c_adapter *adapter)
{
	return I2C_FUNC_I2C | I2C_FUNC_SMBUS_EMUL;
}

static const struct i2c_algorithm glass_algorithm = {
	.master_xfer = glass_xfer,
	.functionality = glass_functionality,
};

static struct i2c_adapter glass_adapter = {
	.owner = THIS_MODULE,
	.name = "i2c-glass",
	.algo = &glass_algorithm,
};

static ssize_t glass_read(struct file *file, char __user *to, size_t size, loff_t *at)
{
	unsigned int copied;
	int error;

	error = wait_event_interruptible(readers, !kfifo_is_empty(&records));
	if (error)
		return error;
	mutex_lock(&lock);
	error = kfifo_to_user(&records, to, size, &copied);
	mutex_unlock(&lock);
	return error ? error : copied;
}

static ssize_t glass_write(struct file *file, const char __user *from, size_t size, loff_t *at)
{
	char digit;

	if (!size || get_user(digit, from))
		return -EFAULT;
	if (digit != '0' && digit != '1')
		return -EINVAL;
	absent = digit == '0';
	return size;
}

static __poll_t glass_poll(struct file *file, poll_table *table)
{
	poll_wait(file, &readers, table);
	return kfifo_is_empty(&records) ? 0 : EPOLLIN | EPOLLRDNORM;
}

static const struct file_operations glass_operations = {
	.owner = THIS_MODULE,
	.read = glass_read,
	.write = glass_write,
	.poll = glass_poll,
};

static struct miscdevice glass_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "glass",
	.fops = &glass_operations,
};

static int __init glass_init(void)
{
	int error = misc_register(&glass_device);

	if (error)
		return error;
	glass_adapter.nr = number;
	error = i2c_add_numbered_adapter(&glass_adapter);
	if (error)
		misc_deregister(&glass_device);
	return error;
}

static void __exit glass_exit(void)
{
	i2c_del_adapter(&glass_adapter);
	misc_deregister(&glass_device);
}

module_init(glass_init);
module_exit(glass_exit);
MODULE_DESCRIPTION("An I2C adapter whose only listener is read from user space");
MODULE_LICENSE("Dual MIT/GPL");
