"""A box without hardware: the production drivers over mock pins and a controller that takes the real bytes."""
