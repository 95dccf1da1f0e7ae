"""Fuzz for some minutes: ``python tests/fuzz --minutes 10``, which ``make fuzz MINUTES=10`` does.

Arguments, explorers and loaders take turns. A failure is printed with its seed and its
smallest reproduction; ``--seed`` runs the same cases again. Ends with an error if there was any.
"""

import argparse
import faulthandler
import random
import sys
import tempfile
import time
from pathlib import Path

import matplotlib as mpl

mpl.use("agg")

import arguments
import judge
import loaders
import states

#: Bytes of memory that the whole run may take; larger requests fail.
MAX_MEMORY_BYTES = 4 << 30
#: Seconds after which a case that does not even ask Python ends the run, with a traceback.
MAX_HANG_SECONDS = 300


def limit_memory():
    """Make larger requests of memory fail, if the system can."""
    try:
        import resource
    except ImportError:
        return
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY_BYTES, hard))


def argument_turns(rng):
    """Yield the number of cases of hostile arguments, and a failure or ``None``."""
    while True:
        cases = arguments.cases()
        rng.shuffle(cases)
        for case in cases:
            wrong = arguments.run(case)
            yield 1, wrong and f"{arguments.reproduction(case)}\n    {wrong}\n    case: {case!r}"


def state_turns(rng):
    """Yield the number of steps of each walk, and a failure or ``None``."""
    while True:
        for name, kind in states.state_kinds().items():
            number = rng.randrange(2**32)
            taken, wrong = states.random_walk(kind, number, 25)
            if wrong is not None:
                few = states.smallest(kind, taken)
                wrong = f"{name}, seed {number}: {wrong}\n    steps: {few!r}"
            yield len(taken), wrong


def loader_turns(rng):
    """Yield the number of damaged files, and a failure or ``None``."""
    with tempfile.TemporaryDirectory() as folder:
        while True:
            for name in loaders.LOADERS:
                number = rng.randrange(2**32)
                wrong = loaders.run(name, number, Path(folder))
                yield 1, wrong and f"{name}, seed {number}\n    {wrong}"


TURNS = {"arguments": argument_turns, "explorers": state_turns, "loaders": loader_turns}


def main():
    """Fuzz, and return the exit status."""
    parser = argparse.ArgumentParser(prog="fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--only", choices=[*TURNS], default=None)
    parser.add_argument(
        "--strict", action="store_true", help="refusals by other libraries must name arguments too"
    )
    options = parser.parse_args()
    judge.IS_STRICT = options.strict
    number = random.SystemRandom().randrange(2**32) if options.seed is None else options.seed
    print(f"seed {number}, {options.minutes:g} minutes", flush=True)
    limit_memory()
    turns = {
        name: turn(random.Random(f"{number} {name}"))
        for name, turn in TURNS.items()
        if options.only in (None, name)
    }
    counts, spent, failures = dict.fromkeys(turns, 0), dict.fromkeys(turns, 0.0), set()
    end = time.monotonic() + 60 * options.minutes
    while time.monotonic() < end:
        # each kind gets the same time, however long its cases take
        name = min(turns, key=spent.__getitem__)
        faulthandler.dump_traceback_later(MAX_HANG_SECONDS, exit=True)
        start = time.monotonic()
        count, wrong = next(turns[name])
        spent[name] += time.monotonic() - start
        counts[name] += count
        if wrong and wrong not in failures:
            failures.add(wrong)
            print(f"FAILED {wrong}\n", flush=True)
    faulthandler.cancel_dump_traceback_later()
    print(", ".join(f"{count:,} {name}" for name, count in counts.items()), "cases;", end=" ")
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
