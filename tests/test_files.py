"""Everything that rocviz writes appears whole or not at all, whatever goes wrong on the way."""

import ast
import errno
import os
import subprocess
import sys
import threading
from contextlib import contextmanager
from pathlib import Path

import pytest

import rocviz
from rocviz import evaluation_report, files
from rocviz.datasets import load_scoring_list_example
from rocviz.displays.scoring_lists import ScoreCardDisplay
from rocviz.exercises import check, export_moodle
from rocviz.files import is_same_file, new_folder, output_path, write_file
from rocviz.stories import StoryMaker, write_steps
from rocviz.widgets.base.stories.steps import Step
from rocviz.widgets.base.stories.story import Story

PACKAGE = Path(rocviz.__file__).parent
Y = [0, 1, 0, 1, 1, 0]
P = [0.1, 0.4, 0.4, 0.8, 0.9, 0.6]
STEPS = [Step("A curve", "Its area is {result.segments.auc:.2f}.", {"threshold": 0.5})]


#: What is said of a full disk, by the system or by what was told so.
FULL_DISK_PATTERN = "File too large|cannot be written"


@contextmanager
def full_disk():
    """Let the system refuse every file as soon as it has more than a hundred bytes."""
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def contents(folder):
    """Read all files below a folder, by path; of folders the path alone."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
    }


# ------------------------------------------------------------------ everything that writes


@pytest.fixture(scope="module")
def things():
    """What the writers write: explorers, a story, a recording, a report, a card."""
    explorer = rocviz.ROCExplorer(Y, P, panels=["roc"])
    writers = {
        "explorer": explorer,
        "recording": explorer.record(threshold=2),
        "story": Story(rocviz.ROCExplorer(Y, P, panels=["roc"]), STEPS),
        "maker": StoryMaker(rocviz.ROCExplorer(Y, P, panels=["roc"]), STEPS),
        "report": evaluation_report(Y * 5, P * 5),
        "card": ScoreCardDisplay(load_scoring_list_example()).plot(),
    }
    yield writers
    for name in ("explorer", "story", "maker"):
        writers[name].close()


def _progress(_things, path):
    # an exercise is checked as always, and says that its file cannot be written
    words = check("tree_auc", 0.79).tally
    if "cannot be written" in words:
        raise OSError(words)


#: By the function that writes: the file, and how it is written.
WRITERS = {
    "save_figure": {
        "explorer.png": lambda it, path: it["explorer"].save(path),
        "card.pdf": lambda it, path: it["card"].save(path),
    },
    "write_page": {"still.html": lambda it, path: it["explorer"].to_html(path, live=False)},
    "Recording.to_html": {
        "live.html": lambda it, path: it["explorer"].to_html(path, live={"threshold": 2}),
        "story.html": lambda it, path: it["story"].to_html(path, most=2),
        "page.html": lambda it, path: it["recording"].to_html(
            path, scripts="scripts", url="https://example.org/page.html", picture=b"\x89PNG" * 99
        ),
    },
    "EvaluationReport.to_html": {
        "report.html": lambda it, path: it["report"].to_html(path, live=False)
    },
    "markdown": {"report.md": lambda it, path: it["report"].to_markdown(path)},
    "write_steps": {
        "steps.toml": lambda it, path: write_steps(path, STEPS * 20),
        "maker.toml": lambda it, path: it["maker"].save(path),
    },
    "export_moodle": {"moodle.xml": lambda it, path: export_moodle(path, chapters=4)},
    "_keep": {"rocviz-progress.json": _progress},
}
EACH = [pytest.param(name, write, id=name) for of in WRITERS.values() for name, write in of.items()]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder in which everything is written."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ROCVIZ_PROGRESS", str(tmp_path / "rocviz-progress.json"))
    return tmp_path


def old_of(name):
    """Make up what an earlier run has left; the names of solved exercises have to be readable."""
    if name.endswith(".json"):
        return '{"solved": ["from_another_version_%s"]}' % ("x" * 200)
    return "old and complete"


@pytest.mark.parametrize(("name", "write"), EACH)
def test_a_full_disk_leaves_old_files_whole(things, folder, name, write):
    (folder / name).write_text(old_of(name))
    (folder / "scripts").mkdir()
    (folder / "scripts" / "player.js").write_text("old")
    before = contents(folder)
    with pytest.raises(OSError, match=FULL_DISK_PATTERN), full_disk():
        write(things, folder / name)
    assert contents(folder) == before


@pytest.mark.parametrize(("name", "write"), EACH)
def test_a_full_disk_leaves_no_half_of_a_new_file(things, folder, name, write):
    if name.endswith(".json"):  # one exercise fits into a hundred bytes
        (folder / name).write_text(old_of(name))
    before = contents(folder)
    with pytest.raises(OSError, match=FULL_DISK_PATTERN), full_disk():
        write(things, folder / name)
    assert contents(folder) == before


@pytest.mark.parametrize(("name", "write"), EACH)
def test_what_stops_before_the_last_step_leaves_all_as_it_was(
    things, folder, monkeypatch, name, write
):
    def stop(*_):
        raise KeyboardInterrupt

    (folder / name).write_text(old_of(name))
    before = contents(folder)
    monkeypatch.setattr(os, "replace", stop)
    with pytest.raises(KeyboardInterrupt):
        write(things, folder / name)
    assert contents(folder) == before


@pytest.mark.parametrize(("name", "write"), EACH)
def test_a_missing_folder_is_named_before_any_work(things, folder, name, write):
    missing = folder / "no such folder" / name
    if name.endswith(".json"):
        return  # its folder is that of the notebook
    with pytest.raises(OSError, match=r"there is no folder .*no such folder"):
        write(things, missing)
    (folder / name).mkdir()
    with pytest.raises(IsADirectoryError, match="is a folder"):
        write(things, folder / name)
    assert not missing.parent.exists()


def functions(tree, inside=()):
    """Yield each function of a module with the names that lead to it."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names = (*inside, node.name)
            if not isinstance(node, ast.ClassDef):
                yield ".".join(names), node
            yield from functions(node, names)
        else:
            yield from functions(node, inside)


def calls(tree):
    """Yield each call with the last part of its function's name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            function = node.func
            name = getattr(function, "attr", getattr(function, "id", ""))
            yield name, node


#: Methods and functions that write to a path.
IN_PLACE = {
    "write_text",
    "write_bytes",
    "touch",
    "tofile",
    "savez",
    "savez_compressed",
    "savetxt",
    "imsave",
    "to_csv",
    "to_parquet",
    "to_excel",
    "to_pickle",
    "copyfile",
    "copy2",
    "copytree",
    "mkstemp",
    "NamedTemporaryFile",
}
#: The same, of modules whose functions share their names with methods of text.
COMMON = {"copy", "rename", "replace", "move"}
#: What may use them: it fills a folder under a temporary name.
ALLOWED = {
    "cli.py": {"copyfile", "write_text"},
    "widgets/base/still.py": {"imsave"},  # into memory
}


def bypasses(tree, allowed=()):
    """Describe each call that may write to a file in place."""
    writers = []
    for name, call in calls(tree):
        arguments = [*call.args, *(keyword.value for keyword in call.keywords)]
        strings = [argument.value for argument in arguments if isinstance(argument, ast.Constant)]
        modes = [text for text in strings if isinstance(text, str) and set(text) <= set("rwaxbt+U")]
        owner = getattr(call.func, "value", None)
        module = getattr(owner, "id", "")
        if arguments and ast.unparse(arguments[0]) == "os.devnull":
            continue
        if name == "open" and any(set(mode) & set("wax+") for mode in modes):
            writers.append(ast.unparse(call))
        elif name == "savefig" and not any(keyword.arg == "format" for keyword in call.keywords):
            writers.append(ast.unparse(call))  # a path: a file in memory has no ending
        elif name in COMMON:  # also methods of text and tables
            if module in {"os", "shutil"} and name not in allowed:
                writers.append(ast.unparse(call))
        elif name in IN_PLACE - set(allowed):
            writers.append(ast.unparse(call))
    return writers


def test_all_modules_write_by_the_one_helper():
    writers = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        if path.name == "files.py" and path.parent == PACKAGE:
            continue
        tree = ast.parse(path.read_text("utf-8"))
        place = path.relative_to(PACKAGE).as_posix()
        if lines := bypasses(tree, ALLOWED.get(place, ())):
            writers[place] = lines
    assert writers == {}


@pytest.mark.parametrize(
    "code",
    [
        "open(path, 'w')",
        "path.open('ab')",
        "open(path, mode='r+')",
        "path.write_text(text)",
        "path.write_bytes(data)",
        "figure.savefig(path, dpi=150)",
        "frame.to_csv(path)",
        "os.replace(a, b)",
        "shutil.copyfile(a, b)",
    ],
)
def test_another_way_of_writing_is_found(code):
    assert bypasses(ast.parse(code)) == [code]


@pytest.mark.parametrize(
    "code",
    [
        "open(path)",
        "open(path, 'rb')",
        "open(os.devnull, 'w')",
        "path.open(encoding='utf-8')",
        "figure.savefig(file, format='png')",
        "text.replace('a', 'b')",
        "array.copy()",
        "dataclasses.replace(a, b=1)",
    ],
)
def test_reading_and_other_work_pass(code):
    assert bypasses(ast.parse(code)) == []


def test_every_function_that_writes_is_tried_above():
    writing = set()
    for path in PACKAGE.rglob("*.py"):
        if path != PACKAGE / "files.py":
            for name, node in functions(ast.parse(path.read_text("utf-8"))):
                if "write_file" in {name for name, _ in calls(node)}:
                    writing.add(name)
    assert writing == WRITERS.keys()


# ------------------------------------------------------------------ the helper


def test_the_umask_and_the_old_permissions_are_kept(tmp_path):
    path = tmp_path / "page.html"
    before = os.umask(0o027)
    try:
        write_file(path, "new")
        assert path.stat().st_mode & 0o777 == 0o640
        path.chmod(0o604)
        write_file(path, "newer")
        assert path.stat().st_mode & 0o777 == 0o604
        path.chmod(0o666)  # more than the umask lets a new file have
        write_file(path, "newest")
        assert path.stat().st_mode & 0o777 == 0o666
    finally:
        os.umask(before)
    assert path.read_text() == "newest"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(not hasattr(os, "chown") or os.geteuid() != 0, reason="needs root")
def test_the_owner_is_kept(tmp_path):
    path = write_file(tmp_path / "page.html", "old")
    os.chown(path, 12345, 23456)
    write_file(path, "new")
    assert (path.stat().st_uid, path.stat().st_gid) == (12345, 23456)


def test_links_still_lead_to_the_file(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    link = tmp_path / "page.html"
    target = tmp_path / "elsewhere" / "real.html"
    link.symlink_to("elsewhere/real.html")
    for text in ("made through the link", "replaced through the link"):
        write_file(output_path(link), text)
        assert link.is_symlink()
        assert target.read_text() == text
    assert list(target.parent.iterdir()) == [target]


def test_links_in_a_circle_are_refused(tmp_path):
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    for act in (output_path, lambda path: write_file(path, "text")):
        with pytest.raises(OSError, match=rf"Errno {errno.ELOOP}\b"):
            act(tmp_path / "a")
    assert {path.name for path in tmp_path.iterdir()} == {"a", "b"}


def test_other_names_of_a_file_keep_the_old_content(tmp_path):
    path = write_file(tmp_path / "page.html", "old")
    os.link(path, tmp_path / "kept.html")
    write_file(path, "new")
    assert (path.read_text(), (tmp_path / "kept.html").read_text()) == ("new", "old")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_is_written_to_directly(tmp_path):
    pipe = tmp_path / "pipe"
    link = tmp_path / "page.html"
    read = []
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    write_file(output_path(link), "text")
    reader.join(60)
    assert read == [b"text"]
    assert {path.name for path in tmp_path.iterdir()} == {"pipe", "page.html"}


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
def test_devices_are_written_to_directly(tmp_path):
    link = tmp_path / "page.html"
    link.symlink_to("/dev/null")
    write_file(output_path(link), "text")
    assert link.is_symlink()
    full = tmp_path / "full.html"
    full.symlink_to("/dev/full")
    with pytest.raises(OSError, match=rf"Errno {errno.ENOSPC}\b"):
        write_file(output_path(full), "text")


@pytest.mark.skipif(not os.path.exists("/dev/stdout"), reason="there is no /dev/stdout")
@pytest.mark.parametrize("to", ["pipe", "file"])
def test_the_standard_output_is_written_to_directly(tmp_path, to):
    code = (
        "from pathlib import Path; from rocviz.files import output_path, write_file\n"
        "write_file(output_path(Path('/dev/stdout')), 'text')"
    )
    command = [sys.executable, "-c", code]
    if to == "pipe":
        written = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
    else:
        with open(tmp_path / "out", "wb") as file:
            number = os.fstat(file.fileno()).st_ino
            subprocess.run(command, stdout=file, check=True)
        assert (tmp_path / "out").stat().st_ino == number
        written = (tmp_path / "out").read_bytes()
    assert written == b"text"


def test_a_file_that_is_protected_is_not_replaced(tmp_path, monkeypatch):
    path = write_file(tmp_path / "page.html", "old")
    path.chmod(0o444)
    refused = os.access
    if os.access(path, os.W_OK):  # as root may write everywhere
        monkeypatch.setattr(
            os, "access", lambda file, how: not (Path(file) == path and how == os.W_OK)
        )
    with pytest.raises(PermissionError, match="protected against writing"):
        output_path(path)
    with pytest.raises(PermissionError, match="page"):
        write_file(path, "new")
    monkeypatch.setattr(os, "access", refused)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_is_protected_is_named(tmp_path, monkeypatch):
    tmp_path.chmod(0o555)
    opened = os.open

    def refuse(path, flags, *rest, **more):
        if flags & os.O_CREAT:
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return opened(path, flags, *rest, **more)

    if os.access(tmp_path, os.W_OK):
        monkeypatch.setattr(os, "open", refuse)
    try:
        with pytest.raises(PermissionError, match=f"no file can be written in {tmp_path}"):
            output_path(tmp_path / "page.html")
        with pytest.raises(PermissionError, match=r"page\.html"):
            write_file(tmp_path / "page.html", "text")
    finally:
        tmp_path.chmod(0o755)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("path", "error", "message"),
    [
        (3, TypeError, "path must be a path, a str or a Path; got int"),
        (b"page.html", TypeError, "path must be a path, a str or a Path; got bytes"),
        ("page.txt", ValueError, r"path must end in \.html; got 'page.txt'"),
        ("a\0.html", ValueError, "path must have no null character"),
        ("missing/page.html", FileNotFoundError, "there is no folder .*missing"),
        ("file/page.html", NotADirectoryError, "file is a file, not a folder"),
        ("file/under/page.html", FileNotFoundError, "there is no folder"),
        ("folder.html", IsADirectoryError, "is a folder, not a file"),
    ],
)
def test_paths_that_cannot_be_written_are_refused_in_plain_words(
    tmp_path, monkeypatch, path, error, message
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("old")
    (tmp_path / "folder.html").mkdir()
    before = contents(tmp_path)
    with pytest.raises(error, match=message):
        output_path(path, (".html", ".htm"))
    assert contents(tmp_path) == before


def test_files_that_belong_together_are_written_together(tmp_path):
    page = tmp_path / "page.html"
    beside = {"js/a/one.js": "one", "two.js": b"two"}
    write_file(page, "page", beside=beside)
    assert contents(tmp_path) == {
        **{"js": None, "js/a": None, "js/a/one.js": b"one"},
        **{"page.html": b"page", "two.js": b"two"},
    }
    before = contents(tmp_path)
    with pytest.raises(NotADirectoryError, match=r"two\.js is a file"):
        write_file(page, "other", beside={"one.js": "1", "two.js/three.js": "3", "new/a.js": "a"})
    assert contents(tmp_path) == before


def test_text_that_cannot_be_encoded_destroys_nothing(tmp_path):
    path = write_file(tmp_path / "page.html", "old")
    with pytest.raises(UnicodeEncodeError):
        write_file(path, "\ud800")
    assert contents(tmp_path) == {"page.html": b"old"}


def test_lines_end_alike_on_every_system(tmp_path):
    assert write_file(tmp_path / "page.md", "one\ntwo\n").read_bytes() == b"one\ntwo\n"


def test_a_disk_that_cannot_confirm_is_used_all_the_same(tmp_path, monkeypatch):
    def fsync(_):
        raise OSError(errno.EINVAL, "Invalid argument")

    monkeypatch.setattr(os, "fsync", fsync)
    assert write_file(tmp_path / "page.md", "text").read_text() == "text"


def test_a_disk_that_is_found_full_late_keeps_the_old_file(tmp_path, monkeypatch):
    def fsync(_):
        raise OSError(errno.ENOSPC, "No space left on device")

    path = write_file(tmp_path / "page.md", "old")
    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(OSError, match=r"No space left on device: '.*page\.md'"):
        write_file(path, "new")
    assert contents(tmp_path) == {"page.md": b"old"}


def test_a_folder_appears_when_it_is_filled(tmp_path):
    path = tmp_path / "a" / "b"
    with new_folder(path) as filled:
        (filled / "file").write_text("text")
        assert not path.exists()
    assert contents(path) == {"file": b"text"}
    with pytest.raises(FileExistsError, match="exists already"), new_folder(path):
        pass


def test_a_folder_that_is_not_filled_does_not_appear(tmp_path):
    def fill():
        with new_folder(tmp_path / "c" / "d") as filled:
            (filled / "file").write_text("text")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fill()
    assert not (tmp_path / "c").exists()
    (tmp_path / "link").symlink_to("nowhere")
    with pytest.raises(FileExistsError), new_folder(tmp_path / "link"):
        pass


def test_the_same_file_is_known_by_every_name(tmp_path):
    path = write_file(tmp_path / "a.csv", "text")
    (tmp_path / "link").symlink_to("a.csv")
    os.link(path, tmp_path / "hard")
    for name in ("a.csv", "link", "hard", f"../{tmp_path.name}/a.csv"):
        assert is_same_file(path, tmp_path / name)
    with open(path) as file:
        assert is_same_file(path, file.fileno())
    write_file(tmp_path / "b.csv", "text")
    assert not is_same_file(path, tmp_path / "b.csv")
    assert not is_same_file(path, tmp_path / "missing")


def test_the_helper_names_files_that_no_other_run_uses(tmp_path):
    names = {files._temporary_in(tmp_path) for _ in range(100)}
    assert len(names) == 100
    assert all(name.parent == tmp_path for name in names)
