"""Fuzz for some minutes: ``python tests/fuzz --minutes 10``, which ``make fuzz MINUTES=10`` does.

``make fuzz ASSIGNMENTS=10000`` takes so many steps through each explorer's state instead, and
compares it with one made anew after every single one. ``make fuzz SHARD=3/20`` runs all hostile
arguments of the third part of twenty.

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

#: Bytes of memory that the whole run may take; what asks for more fails.
MEMORY = 4 << 30
#: Seconds after which a case that does not even ask Python ends the run, with a traceback.
HANGS = 300


def limit_memory():
    """Let what asks for more memory fail, where the system can."""
    try:
        import resource
    except ImportError:
        return
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, hard))


def take_shard(shard, wanted):
    """Run every case of hostile arguments that falls to a shard; return failures."""
    place, many = (int(part) for part in shard.split("/"))
    cases = [case for case in arguments.cases() if wanted in case[0]]
    random.Random("shards").shuffle(cases)
    mine, failures = cases[place - 1 :: many], 0
    print(f"{len(mine):,} of {len(cases):,} cases", flush=True)
    for i, case in enumerate(mine, 1):
        faulthandler.dump_traceback_later(HANGS)
        wrong = arguments.run(case)
        if wrong:
            failures += 1
            print(
                f"FAILED {arguments.reproduction(case)}\n    {wrong}\n    case: {case!r}\n",
                flush=True,
            )
        if i % 1000 == 0:
            print(f"  {i:,}", flush=True)
    faulthandler.cancel_dump_traceback_later()
    print(f"{len(mine):,} cases; {failures} failures")
    return failures


def argument_turns(rng):
    """Yield what one case of hostile arguments found: how many cases, and a failure or ``None``."""
    while True:
        cases = arguments.cases()
        rng.shuffle(cases)
        for case in cases:
            wrong = arguments.run(case)
            yield 1, wrong and f"{arguments.reproduction(case)}\n    {wrong}\n    case: {case!r}"


def state_turns(rng):
    """Yield what each walk of 25 steps found."""
    while True:
        for name, kind in states.state_kinds().items():
            number = rng.randrange(2**32)
            taken, wrong = states.random_walk(kind, number, 25)
            if wrong is not None:
                few = states.smallest(kind, taken)
                wrong = f"{name}, seed {number}: {wrong}\n    steps: {few!r}"
            yield len(taken), wrong


def take_assignments(number, each, kinds):
    """Take so many steps through each state, all compared with one made anew; return failures."""
    failures = 0
    for name, kind in kinds.items():
        rng, done = random.Random(f"{number} {name}"), 0
        while done < each:
            walk = rng.randrange(2**32)
            faulthandler.dump_traceback_later(HANGS)
            taken, wrong = states.random_walk(kind, walk, 50, every=1)
            before, done = done, done + len(taken)
            if done // 1000 > before // 1000:
                print(f"  {name}: {done:,}", flush=True)
            if wrong is not None:
                failures += 1
                few = states.smallest(kind, taken)
                print(f"FAILED {name}, seed {walk}: {wrong}\n    steps: {few!r}\n", flush=True)
        faulthandler.cancel_dump_traceback_later()
        print(f"{name}: {done:,} steps", flush=True)
    return failures


def loader_turns(rng):
    """Yield what each spoilt file found."""
    with tempfile.TemporaryDirectory() as folder:
        while True:
            for name in loaders.LOADERS:
                number = rng.randrange(2**32)
                wrong = loaders.run(name, number, Path(folder))
                yield 1, wrong and f"{name}, seed {number}\n    {wrong}"


TURNS = {"arguments": argument_turns, "explorers": state_turns, "loaders": loader_turns}


def main():
    """Fuzz, and return how the process ends."""
    parser = argparse.ArgumentParser(prog="fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--only", choices=[*TURNS], default=None)
    parser.add_argument(
        "--assignments", type=int, default=0, help="so many steps of each state instead"
    )
    parser.add_argument("--state", default="", help="only states with this in their names")
    parser.add_argument("--shard", help="all arguments of one part of several, such as 3/20")
    parser.add_argument("--callable", default="", help="only those with this in their names")
    parser.add_argument(
        "--strict", action="store_true", help="refusals by other libraries must name arguments too"
    )
    asked = parser.parse_args()
    judge.STRICT = asked.strict
    number = random.SystemRandom().randrange(2**32) if asked.seed is None else asked.seed
    print(f"seed {number}, {asked.minutes:g} minutes", flush=True)
    limit_memory()
    if asked.shard:
        return 1 if take_shard(asked.shard, asked.callable) else 0
    if asked.assignments:
        kinds = {k: v for k, v in states.state_kinds().items() if asked.state in k}
        return 1 if take_assignments(number, asked.assignments, kinds) else 0
    turns = {
        name: turn(random.Random(f"{number} {name}"))
        for name, turn in TURNS.items()
        if asked.only in (None, name)
    }
    counts, spent, failures = dict.fromkeys(turns, 0), dict.fromkeys(turns, 0.0), set()
    end = time.monotonic() + 60 * asked.minutes
    while time.monotonic() < end:
        # each kind gets the same time, however long its cases take
        name = min(turns, key=spent.__getitem__)
        faulthandler.dump_traceback_later(HANGS, exit=True)
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
