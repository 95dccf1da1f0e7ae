"""The ``rocviz`` command: the course in JupyterLab or Voila, a lecture, a report on a file.

It finds the notebooks, or the page of all stories and explorers, and starts other programs.
"""

import argparse
import errno
import gc
import hashlib
import importlib.util
import os
import re
import runpy
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from typing import Any, TextIO, cast
from urllib.parse import quote

import rocviz
from rocviz.files import new_folder

START_CHAPTER = "00_start_here.ipynb"
GALLERY_NOTEBOOK = "gallery.ipynb"
#: What Jupyter's file browser hides anyway.
UNCOPIED_PATTERNS = ("__pycache__", "*.pyc", "*.pyo", ".DS_Store", "*~")
#: What exercises write beside the notebooks; one's own, which no copy is to have.
PROGRESS_FILE = "rocviz-progress.json"
#: In a copy of the course: which course it is a copy of.
COURSE_MARK_FILE = ".rocviz-course"
#: The copy on which a user works, in the folder where the command is called.
COPY_FOLDER = Path("rocviz-notebooks")
#: Values recorded of a control around a step of the lecture.
N_LECTURE_VALUES = 15
#: Exit status after an interrupt, as shells give it.
INTERRUPTED_STATUS = 130
#: What systems answer where nobody reads any more.
NO_READER_ERRORS = (errno.EPIPE, errno.ESHUTDOWN, errno.EINVAL)


def course() -> Path:
    """Find the folder of the course: beside a checkout's package, or inside an installed one.

    It raises ``FileNotFoundError`` where this installation does not include the notebooks.
    """
    package = Path(rocviz.__file__).resolve().parent
    for folder in (package.parent / "notebooks", package / "_notebooks"):
        if (folder / START_CHAPTER).is_file():
            return folder
    raise FileNotFoundError("This installation of rocviz does not include the notebooks.")


def copy_course(destination: Path) -> Path:
    """Copy the course to a folder that does not exist yet, and return that folder.

    One that exists raises ``FileExistsError``, and one that cannot be made ``OSError``; nothing is
    changed then.
    """
    if os.path.lexists(destination):
        raise FileExistsError(
            f"{destination} exists already. Give the name of a new folder, so that none of your "
            "files is overwritten."
        )
    original = course()
    try:
        with new_folder(destination) as folder:
            for path in original.iterdir():
                # the contents alone: an installation may be read-only, and a copy is to be changed
                if path.is_file() and not path.name.startswith(".") and path.name != PROGRESS_FILE:
                    shutil.copyfile(path, folder / path.name)
            (folder / COURSE_MARK_FILE).write_text(_digest(original), encoding="utf-8")
    except OSError as error:
        raise OSError(
            f"The course cannot be copied to {destination.resolve()} ({error.strerror or error}). "
            "Change to a folder in which you may write, or name one: rocviz notebooks FOLDER"
        ) from error
    return destination


def _digest(folder: Path) -> str:
    """Compute a fingerprint of a folder's notebooks."""
    digest = hashlib.sha256()
    for path in sorted(folder.glob("*.ipynb")):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


def find_notebook(folder: Path, name: str) -> Path:
    """Find a chapter by its number or the beginning of its name, such as ``"1"`` or ``"01_a"``.

    It raises ``ValueError`` where none fits, or several do.
    """
    there = sorted(path.name for path in folder.glob("*.ipynb"))
    if name in there:
        return folder / name
    if name.isdecimal():
        fitting = [chapter for chapter in there if _chapter_number(chapter) == int(name)]
    else:
        beginning = name.removesuffix(".py")  # the second form of a chapter
        fitting = [chapter for chapter in there if chapter.startswith(beginning)]
    if len(fitting) != 1:
        from rocviz.core.base.validation import describe

        raise ValueError(
            f"{describe(name)} matches {len(fitting)} notebooks, expected one of: "
            f"{', '.join(there)}."
        )
    return folder / fitting[0]


def _chapter_number(name: str) -> int | None:
    """Read the number with which the name of a chapter begins."""
    digits = re.match(r"\d+", name)
    return int(digits[0]) if digits else None


def _copy_here() -> Path:
    """Name the user's copy of the course: this folder if it is one, or else one in it."""
    if Path(COURSE_MARK_FILE).is_file():
        return Path()
    original = course()
    if Path.cwd() == original.resolve():
        return original.with_name(COPY_FOLDER.name)
    return COPY_FOLDER


def _own_copy(name: str) -> Path:
    """Provide the user's copy of the course, which is made once and then left as it is.

    Nothing is copied if the course has no notebook of this name.
    """
    original = course()
    find_notebook(original, name)
    mine = _copy_here()
    if not os.path.lexists(mine):
        copy_course(mine)
        print(f"The course was copied to {mine.resolve()}; what you change there is yours.")
        return mine
    if not mine.is_dir():
        raise NotADirectoryError(
            f"{mine.resolve()} is not a folder, but the course is to be copied to a folder of this "
            "name. Rename it, or change to another folder."
        )
    print(f"Your copy of the course is in {mine.resolve()}.")
    lacking = sorted({path.name for path in original.glob("*.ipynb")} - set(os.listdir(mine)))
    mark = mine / COURSE_MARK_FILE
    if lacking or (mark.is_file() and mark.read_text(encoding="utf-8") != _digest(original)):
        print(
            f"{mine.resolve()} is the course of another version of rocviz"
            f"{' and lacks ' if lacking else ''}{', '.join(lacking)}. "
            "Rename that folder to get a new copy beside it."
        )
    return mine


def _require(module: str, extra: str) -> None:
    """Raise unless a program is installed in this environment."""
    if importlib.util.find_spec(module) is None:
        raise ModuleNotFoundError(
            f'{module} is not installed here. Install it with: pip install "rocviz[{extra}]", or '
            f'run it without installing: uvx --from "rocviz[{extra}]" rocviz {extra}'
        )


def _run(module: str, arguments: Sequence[str], *, dry_run: bool) -> int:
    """Run ``python -m module`` in this environment, or only print how."""
    if dry_run:
        print(sys.executable, "-m", module, *arguments)
        return 0
    # In this process, so that a user who stops the command stops the server.
    sys.argv = [module, *arguments]
    runpy.run_module(module, run_name="__main__", alter_sys=True)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="rocviz", description="Interactive pictures of rankings, ROC curves and probabilities."
    )
    parser.add_argument("--version", action="version", version=f"rocviz {rocviz.__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")

    lab = commands.add_parser("lab", help="open the course in JupyterLab")
    app = commands.add_parser(
        "app", help="show stories and explorers, or a notebook, as a page without code (Voila)"
    )
    for command, default in ((lab, START_CHAPTER), (app, GALLERY_NOTEBOOK)):
        command.add_argument(
            "notebook",
            nargs="?",
            default=default,
            help="a chapter, by its number or the beginning of its name, or your own notebook "
            "(default: %(default)s)",
        )
        command.add_argument("--port", type=_port, help="the port of the server")
        command.add_argument("--no-browser", action="store_true", help="do not open a browser")
        command.add_argument(
            "--dry-run", action="store_true", help="print the command instead of running it"
        )

    report = commands.add_parser(
        "report", help="evaluate a file of predictions, and write a page about them"
    )
    report.add_argument(
        "file",
        help="a table: CSV of any separator, parquet, Excel, Stata and others; - reads text from "
        "the standard input",
    )
    report.add_argument("--label", required=True, help="the column of true labels")
    report.add_argument("--positive", help="the label of the positive class")
    report.add_argument(
        "--labels",
        nargs=2,
        metavar=("NEGATIVE", "POSITIVE"),
        help="names of both classes for sentences and figures (default: the labels themselves)",
    )
    report.add_argument(
        "--score",
        nargs="+",
        default=[],
        metavar="COLUMN",
        help="columns of scores, one for each model (default: the numeric columns that can only be "
        "scores)",
    )
    report.add_argument(
        "--percent",
        nargs="+",
        default=[],
        metavar="COLUMN",
        help="columns of scores from 0 to 100 that are per cent",
    )
    for name, metavar, what in (
        ("sep", "SIGN", "what stands between columns: a sign, tab or space"),
        ("decimal", "SIGN", "the decimal mark, . or ,"),
        ("encoding", "NAME", "how letters are encoded, such as utf-8 or cp1252"),
    ):
        report.add_argument(
            f"--{name}", metavar=metavar, help=f"{what} (default: as recognised in the file)"
        )
    report.add_argument(
        "--sheet",
        metavar="NAME",
        help="the name or number of a sheet of Excel (default: the first)",
    )
    report.add_argument(
        "--header",
        action=argparse.BooleanOptionalAction,
        help="whether the first row holds the names of the columns, which are numbers otherwise, "
        "as in --label 1 (default: as recognised in the file)",
    )
    for name, what in (
        ("group", "the group of people of each row"),
        ("weight", "how often each row occurred"),
        ("fold", "the fold of a cross-validation"),
        ("cluster", "what rows belong together, such as the patient"),
        ("site", "the place of each row, such as the hospital or the year"),
    ):
        report.add_argument(f"--{name}", metavar="COLUMN", help=f"the column of {what}")
    for name, what in (
        ("cost-fp", "the cost of a false alarm (default: 1)"),
        ("cost-fn", "the cost of a miss (default: 1)"),
        ("cost-referral", "the cost of referring a sample (default: nobody is referred)"),
        ("prevalence", "the prevalence where the models are used (default: that of the file)"),
        ("threshold", "the threshold of the primary model (default: the one that costs least)"),
    ):
        report.add_argument(f"--{name}", type=float, metavar="NUMBER", help=what)
    report.add_argument(
        "--costs",
        metavar="FILE",
        help="a table of what each prediction (column) costs for each class (row), if there are "
        "more than two",
    )
    report.add_argument(
        "--at",
        action="append",
        default=[],
        metavar="RATE=NUMBER",
        help="report the other rate at this sensitivity or specificity, as --at specificity=.9; "
        "may be repeated",
    )
    report.add_argument(
        "--describe",
        nargs="+",
        default=[],
        metavar="COLUMN",
        help="columns for a table of the samples by outcome, such as age and sex",
    )
    report.add_argument(
        "--primary",
        metavar="COLUMN",
        help="the model of which the page speaks (default: the best by AUC)",
    )
    report.add_argument(
        "--new-site",
        action="store_true",
        help="the file is of another place than the models were fitted at: update them, and report "
        "what that gains",
    )
    report.add_argument("--title", help="the heading of the page")
    report.add_argument(
        "--no-live",
        action="store_true",
        help="leave out the explorer with a threshold that moves: a smaller page, sooner",
    )
    report.add_argument(
        "-o", "--output", type=Path, default=Path("report.html"), metavar="FILE",
        help="where to write the page: .html, or .md (default: %(default)s)",
    )  # fmt: skip

    lecture = commands.add_parser(
        "lecture", help="write a lecture of 90 minutes: one page with a clock, without Python"
    )
    lecture.add_argument(
        "-o", "--output", type=Path, default=Path("lecture.html"), metavar="FILE",
        help="where to write the page: .html (default: %(default)s)",
    )  # fmt: skip

    exercises = commands.add_parser(
        "exercises", help="write the exercises to a file that Moodle imports"
    )
    exercises.add_argument(
        "--export", type=Path, required=True, metavar="FILE", help="where to write them: .xml"
    )
    exercises.add_argument(
        "--chapters",
        type=int,
        nargs="+",
        metavar="NUMBER",
        help="only the exercises of these chapters (default: all, with the exam)",
    )

    copy = commands.add_parser("notebooks", help="copy the course into a new folder")
    copy.add_argument("destination", type=Path, metavar="DEST", help="a new folder")
    return parser


def _is_original(notebook: Path) -> bool:
    """Whether a path leads to the course itself, which is not to be changed."""
    try:
        return notebook.is_file() and notebook.resolve().parent == course().resolve()
    except FileNotFoundError:  # an installation without the course
        return False


def _own_notebook(name: str, *, dry_run: bool) -> Path:
    """Find a chapter in the user's copy of the course, which is made if it is missing."""
    if dry_run:
        return _copy_here() / find_notebook(course(), name).name
    return find_notebook(_own_copy(name), name)


def _serve(options: argparse.Namespace) -> int:
    module, extra = ("voila", "app") if options.command == "app" else ("jupyterlab", "lab")
    _require(module, extra)
    notebook = Path(options.notebook)
    if options.command == "app" and options.notebook == GALLERY_NOTEBOOK:
        notebook = Path(rocviz.__file__).resolve().parent / "stories" / GALLERY_NOTEBOOK
    elif _is_original(notebook):
        notebook = _own_notebook(notebook.name, dry_run=options.dry_run)
    elif not (notebook.suffix == ".ipynb" and notebook.is_file()):
        notebook = _own_notebook(options.notebook, dry_run=options.dry_run)
    arguments = [str(notebook)]
    if options.port is not None:
        arguments.append(f"--port={options.port}")
    if options.no_browser:
        arguments.append("--no-browser")
    if module == "voila":
        # Voila serves pages under any name; an attacker who gives a name this computer's address
        # could open one, and a kernel, from a page of another site
        arguments.append("--Voila.tornado_settings=allow_remote_access=")
        return _run(module, arguments, dry_run=options.dry_run)
    # the address that is printed for those without a browser leads to the notebook as well
    arguments.append(f"--LabApp.default_url=/lab/tree/{quote(notebook.name)}")
    # the second form of each chapter, and the news that lie over the first picture
    arguments.append(f"--ContentsManager.hide_globs={[*UNCOPIED_PATTERNS, '[0-9][0-9]_*.py']}")
    settings = str(Path(rocviz.__file__).resolve().parent / "jupyter")
    known = os.environ.get("JUPYTER_CONFIG_PATH", "")
    os.environ["JUPYTER_CONFIG_PATH"] = os.pathsep.join(filter(None, (known, settings)))
    # Jupyter refuses to start as root otherwise, and in a container root is the usual user.
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        arguments.append("--allow-root")
    return _run(module, arguments, dry_run=options.dry_run)


def _lecture(output: Path) -> Path:
    """Write the page of the lecture, in type for a lecture hall."""
    from rocviz.files import output_path
    from rocviz.stories import open_lecture
    from rocviz.theme import get_theme, set_theme

    output = output_path(output, (".html", ".htm"), name="--output")
    before = get_theme().lecture
    set_theme(lecture=True)
    try:
        lecture = open_lecture()
        try:
            return lecture.to_html(output, most=N_LECTURE_VALUES)
        finally:
            lecture.close()
    finally:
        set_theme(lecture=before)


def _report(options: argparse.Namespace) -> Path:
    """Write the page of a file of predictions."""
    from rocviz.report.command import report_file
    from rocviz.report.files import Columns
    from rocviz.report.reading import TextOptions

    columns = Columns(
        options.label,
        options.positive,
        options.score,
        options.group,
        options.weight,
        options.fold,
        options.cluster,
        options.percent,
        options.describe,
        options.site,
    )
    return report_file(
        options.file,
        columns,
        options.output,
        TextOptions(options.sep, options.decimal, options.encoding, options.sheet, options.header),
        title=options.title,
        primary=options.primary,
        cost_fp=options.cost_fp,
        cost_fn=options.cost_fn,
        prevalence=options.prevalence,
        threshold=options.threshold,
        at=options.at,
        costs=options.costs,
        new_site=options.new_site,
        cost_referral=options.cost_referral,
        labels=options.labels,
        live=not options.no_live,
    )


@contextmanager
def _rarely_collecting() -> Iterator[None]:
    """Look for cycles of garbage a hundred times less often; it takes an eighth of a report."""
    thresholds = gc.get_threshold()
    gc.set_threshold(100 * thresholds[0], *thresholds[1:])
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)


def _port(text: str) -> int:
    """Parse the number of a port."""
    number = int(text)
    if not 0 <= number < 2**16:
        raise argparse.ArgumentTypeError(f"a port is a number from 0 to 65535; got {text}")
    return number


class _Stream:
    """A standard stream that never stops the work.

    A reader who has read enough, such as ``head -1``, is no failure: what is written afterwards
    goes nowhere. Any other failure to write is kept as :attr:`error`.
    """

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self.error: OSError | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write a text, with escapes for letters that the stream does not know."""
        try:
            self._stream.write(text)
        except UnicodeEncodeError as error:
            self.write(text.encode(error.encoding, "backslashreplace").decode(error.encoding))
        except OSError as error:
            self._give_up(error)
        return len(text)

    def flush(self) -> None:
        """Write what is waiting."""
        try:
            self._stream.flush()
        except OSError as error:
            self._give_up(error)

    def _give_up(self, error: OSError) -> None:
        if error.errno not in NO_READER_ERRORS:
            self.error = error
        # Python writes what is waiting once more when it ends
        with suppress(OSError), open(os.devnull, "wb") as nowhere:
            os.dup2(nowhere.fileno(), self._stream.fileno())


@contextmanager
def _standard_streams() -> Iterator[_Stream]:
    """Replace standard streams by ones that never stop the work; yield the output.

    A stream that was closed (``>&-``) is missing, and the next file that is opened would get its
    number: what others print would go into that file.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            # takes the lowest number that is free, which is this one
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)
    with open(os.devnull, encoding="utf-8") as empty, open(os.devnull, "w") as nowhere:
        output = _Stream(nowhere if _is_missing(sys.stdout) else sys.stdout)
        messages = _Stream(nowhere if _is_missing(sys.stderr) else sys.stderr)
        standard_input = sys.stdin
        if _is_missing(standard_input):
            sys.stdin = empty
        try:
            with redirect_stdout(cast("TextIO", output)), redirect_stderr(cast("TextIO", messages)):
                yield output
        finally:
            sys.stdin = standard_input
            output.flush()
            messages.flush()


def _is_missing(stream: Any) -> bool:
    """Whether a standard stream was closed."""
    return stream is None or stream.closed


def _print_error(words: object) -> None:
    """Tell the user in one line what went wrong."""
    print(f"rocviz: {words}", file=sys.stderr)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the ``rocviz`` command with these arguments, by default those of the command line.

    The exit status is 0 when all went well, 1 after a plain sentence on what did not, and 130 after
    an interrupt by the user.
    """
    with _standard_streams() as output:
        try:
            status = _main(arguments)
        except KeyboardInterrupt:
            _print_error("interrupted")
            return INTERRUPTED_STATUS
        except SystemExit as ended:  # of the parser, or of the program that was run
            output.flush()
            if ended.code or output.error is None:
                raise
            status = 0
        output.flush()
        if output.error is not None:
            _print_error(f"the standard output cannot be written: {output.error.strerror}")
            status = status or 1
        return status


def _main(arguments: Sequence[str] | None) -> int:
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.command is None:
        parser.print_help()
        return 0
    try:
        if options.command == "notebooks":
            print(f"The course is in {copy_course(options.destination).resolve()}")
            return 0
        if options.command == "report":
            with _rarely_collecting():
                path = _report(options)
            print(f"The report is in {path.resolve()}")
            return 0
        if options.command == "exercises":
            from rocviz.exercises import export_moodle

            path = export_moodle(options.export, chapters=options.chapters)
            print(f"The exercises are in {path.resolve()}")
            return 0
        if options.command == "lecture":
            print(f"The lecture is in {_lecture(options.output).resolve()}")
            return 0
        return _serve(options)
    except (OSError, ValueError, ModuleNotFoundError) as error:
        _print_error(error)
        return 1


if __name__ == "__main__":
    sys.exit(main())
