"""The cards on the stage, by what they are about."""
