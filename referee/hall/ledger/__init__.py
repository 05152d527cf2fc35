"""The record of an event as an ordinary database has it, and the calls by which boxes read and write it.

A store is one schema at two kinds of address; the ledger of acts, the entries of games and who may speak are tables
in it; `calls` is the web application over them.
"""
