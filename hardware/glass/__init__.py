"""The display: which bytes of a picture to send, and the panels and buses that take them."""
