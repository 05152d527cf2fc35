"""The dice of this box: what is known of them, and what is done with those by Bluetooth."""
