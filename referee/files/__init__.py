"""What leaves and enters the house: bounded reading, one way to write, QR codes."""
