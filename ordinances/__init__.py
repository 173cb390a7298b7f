"""The law as data and the pure rules: standard library only, no clock, nothing written."""
