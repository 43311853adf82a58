"""The crash sweep: a whole bot in a process of its own is killed at every failpoint, on both databases.

`python -m tests.crash.sweep --seeds 10` runs it and prints the table; `--points send --databases sqlite` a part of it.

A run is a day and a half in an office (`stories`): people write through a Bot API server on loopback, which is the
ledger of what was really sent; the clock stands still until everything that is due is done, then jumps to the next
moment (`town`). The bot (`life`) dies by SIGKILL at the nth pass of a point and is started again. What it ends in is
held against a run of the same stories in which nobody died (`checks`).
"""
