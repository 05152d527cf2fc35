"""Pictures of screens: one bit a pixel, from views to images. Pure."""
