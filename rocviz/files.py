"""How files are written: whole, or not at all.

The new content goes to a temporary file in the same folder, which then replaces the old file in one
step. A full disk or an interrupt therefore leaves the old file as it was. Every other module writes
through this one.
"""

from __future__ import annotations

import errno
import os
import re
import secrets
import shutil
import stat
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from os import PathLike
from pathlib import Path

#: Folders whose entries are what a process has open, not files of their own.
_DESCRIPTOR_PATTERN = re.compile(r"/dev/fd|/proc/[^/]+(/task/[^/]+)?/fd")
#: The most symbolic links that are followed.
_MAX_LINKS = 40
#: What file systems answer that cannot confirm that a file is on the disk.
_CANNOT_CONFIRM_ERRORS = (errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EROFS)


def output_path(
    path: str | PathLike[str], endings: Sequence[str] = (), *, name: str = "path", note: str = ""
) -> Path:
    """Check that a file can be written, before any work is done for it.

    Parameters
    ----------
    path : str or path-like
        The path of the file, which may exist.
    endings : sequence of str, default=()
        Endings of which the path must have one; none allows all.
    name : str, default="path"
        The argument's name in messages.
    note : str, default=""
        What the message on a wrong ending says after the endings.

    Returns
    -------
    Path

    Raises
    ------
    TypeError
        If it is no path.
    ValueError
        If it has another ending.
    OSError
        If the folder is missing, the path is a folder, or the user may not write there.
    """
    if not isinstance(path, str | PathLike) or not isinstance(os.fspath(path), str):
        raise TypeError(f"{name} must be a path, a str or a Path; got {type(path).__name__}.")
    path = Path(path)
    if endings and path.suffix.lower() not in endings:
        *others, last = [ending for ending in endings if ending != ".htm"]
        listed = f"{', '.join(others)} or {last}" if others else last
        raise ValueError(f"{name} must end in {listed}{note}; got {_end_of(path.name)}.")
    if "\0" in str(path):
        raise ValueError(f"{name} must have no null character; got {_end_of(path)}.")
    check_output(path)
    return path


def _end_of(path: str | Path) -> str:
    """Write the last letters of a path for a message."""
    text = str(path)
    return repr(text if len(text) <= 60 else f"...{text[-57:]}")


def check_output(path: Path) -> None:
    """Raise an ``OSError`` with a plain sentence if a file cannot be written."""
    if path.is_dir():
        raise IsADirectoryError(f"{path} is a folder, not a file.")
    if _is_stream(path):
        if not os.access(path, os.W_OK):
            raise PermissionError(f"{path} cannot be written: permission denied.")
        return
    target = _followed(path)
    folder = target.parent
    if not folder.exists():
        raise FileNotFoundError(f"there is no folder {folder}.")
    if not folder.is_dir():
        raise NotADirectoryError(f"{folder} is a file, not a folder.")
    if target.exists() and not os.access(target, os.W_OK):
        raise PermissionError(f"{path} is protected against writing.")
    # the one sure way to learn what permissions, quotas and mounts allow
    temporary = _temporary_in(folder)
    try:
        os.close(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except OSError as error:
        reason = error.strerror or error
        raise type(error)(f"no file can be written in {folder}: {reason}.") from None
    finally:
        temporary.unlink(missing_ok=True)


def write_file(
    path: Path, content: str | bytes, *, beside: Mapping[str, str | bytes] | None = None
) -> Path:
    """Write a file, and those that belong to it: all of them whole, or none.

    The permissions of an existing file are kept, and a symbolic link still leads to the file that
    it led to. A hard link is not followed: its other names keep the old content. A device, a pipe
    or a standard stream is written to directly.

    Parameters
    ----------
    path : Path
    content : str or bytes
        Text is written in UTF-8.
    beside : mapping of str to str or bytes, optional
        Further files, by their path from the folder of `path`. Their folders are made if needed.

    Returns
    -------
    Path
        `path`.

    Raises
    ------
    OSError
        If one of the files cannot be written. All files are then as they were before, unless the
        system refuses to replace one of several.
    """
    contents = {path.parent / name: text for name, text in (beside or {}).items()}
    contents[path] = content
    encoded = {
        place: text.encode("utf-8") if isinstance(text, str) else text
        for place, text in contents.items()
    }
    replacements: dict[Path, Path] = {}
    made: list[Path] = []
    try:
        for place in encoded:
            if place is not path:
                _make_folder(place.parent, made)
            if not _is_stream(place):
                _stage(_followed(place), encoded[place], replacements)
        for temporary, target in replacements.items():
            with _naming(target):
                os.replace(temporary, target)
    except BaseException:
        for temporary in replacements:
            temporary.unlink(missing_ok=True)
        _remove_folders(made)
        raise
    for place, data in encoded.items():
        if _is_stream(place):
            with open(place, "wb") as stream:
                stream.write(data)
    return path


@contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """Make a folder that appears under its name once it is filled, or not at all.

    Parameters
    ----------
    path : Path
        Must not exist. Missing parents are made.

    Yields
    ------
    Path
        The folder to fill; it has a temporary name.

    Raises
    ------
    FileExistsError
        If there is something at the path.
    """
    if os.path.lexists(path):
        raise FileExistsError(f"{path} exists already.")
    made: list[Path] = []
    temporary = _temporary_in(path.parent)
    try:
        _make_folder(path.parent, made)
        with _naming(path):
            temporary.mkdir()
        yield temporary
        with _naming(path):
            os.rename(temporary, path)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        _remove_folders(made)
        raise


def is_same_file(path: Path, other: Path | int) -> bool:
    """Whether two paths, or a path and the number of an open file, lead to the same file.

    Links and different spellings are seen through.
    """
    try:
        return os.path.samestat(os.stat(path), os.stat(other))
    except OSError:
        return False


def _stage(target: Path, content: bytes, replacements: dict[Path, Path]) -> None:
    """Write the content to a temporary file beside the target, and note it first."""
    try:
        old = os.stat(target)
    except FileNotFoundError:
        old = None
    if old is not None and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(target))
    mode = 0o666 if old is None else stat.S_IMODE(old.st_mode) & 0o777
    temporary = _temporary_in(target.parent)
    replacements[temporary] = target
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    with _naming(target), open(os.open(temporary, flags, mode), "wb") as file:
        file.write(content)
        file.flush()
        try:
            os.fsync(file.fileno())  # some disks say only now that they are full
        except OSError as error:
            if error.errno not in _CANNOT_CONFIRM_ERRORS:
                raise
    if old is not None:
        _keep_owner_and_mode(temporary, old, mode)


@contextmanager
def _naming(target: Path) -> Iterator[None]:
    """Let an error name the file that the user knows, not the temporary one."""
    try:
        yield
    except OSError as error:
        error.filename, error.filename2 = str(target), None
        raise


def _keep_owner_and_mode(temporary: Path, old: os.stat_result, mode: int) -> None:
    """Give a new file the owner and the permissions of the old one, where the system lets us."""
    now = os.stat(temporary)
    if hasattr(os, "chown") and (now.st_uid, now.st_gid) != (old.st_uid, old.st_gid):
        with suppress(OSError):
            os.chown(temporary, old.st_uid, old.st_gid)
    if stat.S_IMODE(now.st_mode) != mode:  # what the umask took away
        with suppress(OSError):
            os.chmod(temporary, mode)


def _temporary_in(folder: Path) -> Path:
    """Choose a name for a temporary file or folder, which no other one has."""
    return folder / f".rocviz-{secrets.token_hex(8)}.tmp"


def _followed(path: Path) -> Path:
    """Follow symbolic links to the file that is replaced, so that the links stay."""
    target = Path(os.path.realpath(path))
    if target.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
    return target


def _is_stream(path: Path) -> bool:
    """Whether a path is written to directly: a device, a pipe, or what a process has open."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    if stat.S_ISDIR(mode):
        return False
    return not stat.S_ISREG(mode) or _leads_to_a_descriptor(path)


def _leads_to_a_descriptor(path: Path) -> bool:
    """Whether the links of a path lead to an open file, as those of ``/dev/stdout`` do."""
    for _ in range(_MAX_LINKS):
        if _DESCRIPTOR_PATTERN.fullmatch(os.path.realpath(path.parent)):
            return True
        if not path.is_symlink():
            return False
        path = path.parent / os.readlink(path)
    return False


def _make_folder(folder: Path, made: list[Path]) -> None:
    """Make a folder and its parents, and note those that were missing."""
    missing = []
    while not folder.is_dir():
        if os.path.lexists(folder):
            raise NotADirectoryError(f"{folder} is a file, not a folder.")
        missing.append(folder)
        folder = folder.parent
    for parent in reversed(missing):
        parent.mkdir(exist_ok=True)
        made.append(parent)


def _remove_folders(made: Sequence[Path]) -> None:
    """Remove the folders that were made for nothing, unless something is in them by now."""
    for folder in reversed(made):
        with suppress(OSError):
            folder.rmdir()
