"""Tables in files of many kinds, piece by piece, and what was recognised in them."""

from __future__ import annotations

import bz2
import codecs
import csv
import gzip
import lzma
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from io import BufferedIOBase, BufferedReader, RawIOBase
from itertools import islice
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile

import pandas as pd

from rocviz.core.base.validation import describe, list_labels, reason

ROWS_PER_PIECE = 250_000  # rows that are read at a time
HEAD_BYTES = 1 << 18  # of a text, from which its separator is recognised
MAX_HEAD_ROWS = 200  # rows of these that are compared
BLOCK_BYTES = 1 << 20  # of a text that are decoded at a time
SEPARATOR_NAMES = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars", " ": "spaces"}
#: What may be written for a separator that is hard to type.
SEPARATOR_WORDS = {"tab": "\t", "\\t": "\t", "space": " ", "comma": ",", "semicolon": ";"}
BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
#: The encoding of texts that are not UTF-8, as Windows writes them in Western Europe and America.
FALLBACK_ENCODINGS = ("cp1252", "latin-1")
#: How databases and statistics programs write that there is no value, beside what pandas knows.
MISSING_VALUES = ("\\N", ".")
#: First bytes of compressed files, and how they are called.
COMPRESSIONS = (
    (b"\x1f\x8b", "gzip"),
    (b"BZh", "bzip2"),
    (b"\xfd7zXZ\x00", "xz"),
    (b"PK\x03\x04", "zip"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
)
#: How texts begin that are no tables of columns.
MARKUP = (
    (b"<!doctype", "HTML"),
    (b"<html", "HTML"),
    (b"<table", "HTML"),
    (b"<?xml", "XML"),
    (b"@relation", "an ARFF file, as of Weka"),
    (b"{\\rtf", "a text of a word processor"),
)
# Letters that no text has.
_BINARY = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_SEPARATOR_LINE = re.compile(r'^"?sep=(.)"?\s*$')  # by which Excel is told the separator
MAX_LINES_ABOVE_HEADER = 20  # of a title, a query or a date
_NUMBER = re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)(e[+-]?\d+)?\s*%?", re.IGNORECASE)
_FRACTION = re.compile(r"[+-]?\d*[.,]\d+(e[+-]?\d+)?\s*%?", re.IGNORECASE)
_RULE = re.compile(r"[-+|: ]*-{3}[-+|: ]*")  # between the names and the values
_UNNAMED = re.compile(r"Unnamed: \d+|\.\.\.\d+|")  # as pandas and readr call them


@dataclass(frozen=True)
class TableKind:
    """A kind of file that is no text.

    Parameters
    ----------
    name : str
        The kind in a sentence.
    reader : str
        The function of pandas that reads it.
    package : str
        What that function needs beside pandas.
    """

    name: str
    reader: str
    package: str = ""


EXCEL = TableKind("Excel", "read_excel", "openpyxl")
TABLE_KINDS = {
    ".xlsx": EXCEL,
    ".xlsm": EXCEL,
    ".xls": TableKind("old Excel", "read_excel", "xlrd"),
    ".ods": TableKind("OpenDocument", "read_excel", "odfpy"),
    ".feather": TableKind("feather", "read_feather", "pyarrow"),
    ".arrow": TableKind("feather", "read_feather", "pyarrow"),
    ".json": TableKind("JSON", "read_json"),
    ".jsonl": TableKind("JSON", "read_json"),
    ".ndjson": TableKind("JSON", "read_json"),
    ".dta": TableKind("Stata", "read_stata"),
    ".sav": TableKind("SPSS", "read_spss", "pyreadstat"),
    ".sas7bdat": TableKind("SAS", "read_sas"),
    ".xpt": TableKind("SAS", "read_sas"),
}
#: Files that are not read, and how to make one that is.
OTHER_KINDS = {
    ".rds": "in R, save the table with write.csv(table, 'table.csv')",
    ".rdata": "in R, save the table with write.csv(table, 'table.csv')",
    ".rda": "in R, save the table with write.csv(table, 'table.csv')",
    ".pkl": "in Python, save the table with table.to_csv('table.csv')",
    ".pickle": "in Python, save the table with table.to_csv('table.csv')",
    ".db": "save the result of a query as CSV",
    ".sqlite": "save the result of a query as CSV",
    ".numbers": "export the table as CSV",
}


@dataclass(frozen=True)
class TextOptions:
    """How a text is to be read, where that is not to be recognised.

    Parameters
    ----------
    sep : str, optional
        One character between columns, or the word ``"tab"`` or ``"space"``.
    decimal : str, optional
        ``"."`` or ``","``.
    encoding : str, optional
    sheet : str, optional
        The name or the number of a sheet of an Excel or OpenDocument file, from 1.
    header : bool, optional
        Whether the first row holds the names of the columns.
    """

    sep: str | None = None
    decimal: str | None = None
    encoding: str | None = None
    sheet: str | None = None
    header: bool | None = None

    def check(self) -> None:
        """Raise ``ValueError`` for an option without a meaning."""
        separator = self.separator
        if separator is not None and (len(separator) != 1 or separator in "\"'\r\n"):
            raise ValueError(
                f"--sep must be one character, tab or space; got {describe(self.sep)}."
            )
        if self.decimal not in (None, ".", ","):
            raise ValueError(f"--decimal must be . or , and not {describe(self.decimal)}.")
        if self.encoding is not None:
            try:
                codecs.lookup(self.encoding)
            except (LookupError, ValueError):
                raise ValueError(
                    f"--encoding: there is no encoding {describe(self.encoding)}; use a name such "
                    "as utf-8, cp1252, latin-1 or utf-16."
                ) from None

    @property
    def separator(self) -> str | None:
        """The character between columns."""
        return None if self.sep is None else SEPARATOR_WORDS.get(self.sep.lower(), self.sep)


class TableFile:
    """A table in a file, which is read in pieces.

    Parameters
    ----------
    path : str
        A file of text, possibly compressed, or of another kind; ``"-"`` reads the standard input.
    options : TextOptions
    columns : sequence of str
        Columns that the table is to have, by which its separator is recognised.

    Attributes
    ----------
    recognised : list of str
        Parts of a sentence on how the file was read, where it is not plain CSV.
    repeated : dict of str to str
        Columns whose name another column had before, and that name.
    first_row : int
        The number of the first row of values, as editors count lines.
    sheets : list of str
        Names of the sheets of a workbook.
    has_header : bool
        Whether a row holds the names of the columns; else they are called after their numbers.
    """

    def __init__(
        self, path: str, options: TextOptions | None = None, columns: Sequence[str] = ()
    ) -> None:
        self.path = path
        self.options = options or TextOptions()
        self.recognised: list[str] = []
        self.repeated: dict[str, str] = {}
        self.first_row = 2
        self.has_header = True
        self.sheets: list[str] = []
        self._columns = columns
        self.options.check()

    @property
    def name(self) -> str:
        """The file in a sentence."""
        return "the standard input" if self.path == "-" else self.path

    def pieces(self) -> Iterator[tuple[pd.DataFrame, float]]:
        """Yield the pieces of the table, each with the share of the file read so far."""
        suffix = Path(self.path).suffix.lower()
        kind = TABLE_KINDS.get(suffix)
        if self.options.sheet is not None and (kind is None or kind.reader != "read_excel"):
            raise ValueError(f"{self.name} has no sheets; leave out --sheet.")
        with self._reading():
            if self.path == "-":
                yield from self._text_pieces(sys.stdin.buffer, 0)
            elif suffix in (".parquet", ".pq"):
                yield from self._parquet_pieces()
            elif suffix in TABLE_KINDS:
                yield self._whole(TABLE_KINDS[suffix]), 1.0
            else:
                if suffix in OTHER_KINDS and Path(self.path).is_file():
                    raise ValueError(f"it is no table in text; {OTHER_KINDS[suffix]}.")
                size = Path(self.path).stat().st_size
                with open(self.path, "rb") as file:
                    yield from self._text_pieces(file, size)

    def _parquet_pieces(self) -> Iterator[tuple[pd.DataFrame, float]]:
        from pyarrow.parquet import ParquetFile

        file = ParquetFile(self.path)
        rows = 0
        for batch in file.iter_batches(ROWS_PER_PIECE):
            rows += batch.num_rows
            yield self._named(batch.to_pandas()), rows / file.metadata.num_rows

    def _whole(self, kind: TableKind) -> pd.DataFrame:
        """Read a file that is no text; readers have errors of their own kinds."""
        try:
            return self._by_its_reader(kind)
        except (ImportError, FileNotFoundError, pd.errors.EmptyDataError, _SheetError):
            raise
        except Exception as error:
            raise ValueError(
                f"it is no {kind.name} file that can be read ({reason(error, 150).rstrip('.')}); "
                "save the table as CSV."
            ) from None

    def _by_its_reader(self, kind: TableKind) -> pd.DataFrame:
        read = getattr(pd, kind.reader)
        if kind.reader == "read_excel":
            with pd.ExcelFile(self.path) as book:
                sheet = self._sheet(list(map(str, book.sheet_names)))
                cells = book.parse(sheet, header=None, na_values=list(MISSING_VALUES))
            return self._named(self._below_header(cells))
        if kind.reader == "read_json":
            return self._named(read(self.path, lines=not self.path.lower().endswith(".json")))
        if kind.reader == "read_sas":
            return self._named(read(self.path, encoding=self.options.encoding or "latin-1"))
        return self._named(read(self.path))

    def _sheet(self, names: list[str]) -> int:
        """Find the number of the sheet to read."""
        wanted = self.options.sheet
        self.sheets = names
        if wanted is None:
            if len(names) > 1:
                self.recognised.append(
                    f"the first of its {len(names)} sheets, {describe(names[0])} (--sheet)"
                )
            return 0
        if wanted in names:
            return names.index(wanted)
        if wanted.isdecimal() and 1 <= int(wanted) <= len(names):
            return int(wanted) - 1
        raise _SheetError(
            f"there is no sheet {describe(wanted)}; its sheets are {list_labels(names, 20)}."
        )

    def _below_header(self, cells: pd.DataFrame) -> pd.DataFrame:
        """Take the names of columns from the cells of a sheet, which may have a title above."""
        cells = cells.dropna(axis=1, how="all")
        is_filled = cells.notna().any(axis=1)
        if not is_filled.any():
            raise pd.errors.EmptyDataError
        head = cells.head(MAX_LINES_ABOVE_HEADER).fillna("").astype(str).to_numpy().tolist()
        place = self._header_place(head)
        if place is None:
            self.first_row = 1
            table = cells
            header = self._numbered_names(cells.shape[1])
        else:
            self.first_row = place + 2
            table = cells.iloc[place + 1 :]
            header = head[place]
        table = table.dropna(axis=0, how="all").infer_objects()
        table.columns = header
        return table

    def _header_place(self, rows: Sequence[Sequence[str]]) -> int | None:
        """Find the row with the names of the columns; ``None`` if there is none."""
        rows = [[cell.strip() for cell in row] for row in rows]
        n_filled = [sum(cell != "" for cell in row) for row in rows]
        first = next((i for i, n in enumerate(n_filled) if n), 0)
        if self.options.header is False:
            return None
        place = first + self._n_rows_of_title(rows[first:])
        if place == first and self.options.header is None and self._lacks_header(rows[first]):
            return None
        return place

    def _n_rows_of_title(self, rows: Sequence[Sequence[str]]) -> int:
        """Count the rows of a title or a date, which has fewer cells than the names below it."""
        label = self._columns[0] if self._columns else None
        n_filled = [sum(cell.strip() != "" for cell in row) for row in rows]
        for i, row in enumerate(rows[:MAX_LINES_ABOVE_HEADER]):
            if label not in [cell.strip() for cell in row]:
                continue
            if i and max(n_filled[:i]) < n_filled[i]:
                lines = "one line" if i == 1 else f"{i} lines"
                self.recognised.append(f"{lines} above the names of the columns left out")
                return i
            break
        return 0

    def _lacks_header(self, row: Sequence[str]) -> bool:
        """Whether the first row holds values: fractions, or only numbers."""
        filled = [cell for cell in row if cell]
        if self._columns and self._columns[0] in filled and not _NUMBER.fullmatch(self._columns[0]):
            return False
        has_fraction = any(_FRACTION.fullmatch(cell) for cell in filled)
        only_numbers = all(_NUMBER.fullmatch(cell) for cell in filled)
        return has_fraction or (only_numbers and not set(self._columns) <= set(filled))

    def _numbered_names(self, n_columns: int) -> list[str]:
        """Name columns after their numbers."""
        self.has_header = False
        names = [f"column {number + 1}" for number in range(n_columns)]
        last = f" to {describe(names[-1])}" if n_columns > 1 else ""
        why = "" if self.options.header is False else " (--header if the first row holds names)"
        self.recognised.append(
            f"numbers for the missing names of columns, {describe(names[0])}{last}{why}"
        )
        return names

    def _named(self, table: pd.DataFrame) -> pd.DataFrame:
        """Bring the columns of a table to plain names; an index with a name is a column."""
        if any(name is not None for name in table.index.names):
            table = table.reset_index()
        table.columns = self._names(list(map(str, table.columns)))
        return table.reset_index(drop=True)

    def _names(self, header: Sequence[str]) -> list[str]:
        """Strip names, and make them different."""
        names: list[str] = []
        for number, written in enumerate(header):
            name = written.strip()
            if _UNNAMED.fullmatch(name):
                name = f"Unnamed: {number}"
            count = 1
            different = name
            while different in names:
                different = f"{name}.{count}"
                count += 1
            if different != name:
                self.repeated[different] = name
            names.append(different)
        return names

    def _text_pieces(self, file: Any, size: int) -> Iterator[tuple[pd.DataFrame, float]]:
        """Yield the pieces of a text; without a size the share is 0."""
        text = self._unpacked(file)
        head = text.peek(HEAD_BYTES)[:HEAD_BYTES]
        if not head:
            raise pd.errors.EmptyDataError
        encoding = self._encoding(text, head)
        for piece in self._csv_pieces(text, head, encoding):
            # a pipe has no size
            yield piece, min(file.tell() / size, 1.0) if size else 0.0

    def _unpacked(self, packed: Any) -> BufferedReader:
        """Undo the compression of a file."""
        file = _peekable(packed)
        start = file.peek(HEAD_BYTES)[:8]
        compression = next((name for mark, name in COMPRESSIONS if start.startswith(mark)), None)
        if compression is None:
            return file
        self.recognised.append(f"{compression} compression")
        if compression == "gzip":
            return _peekable(gzip.GzipFile(fileobj=file))
        if compression == "bzip2":
            return _peekable(bz2.BZ2File(file))
        if compression == "xz":
            return _peekable(lzma.LZMAFile(file))
        if compression == "zstd":
            return _peekable(_zstd_file(file))
        return _peekable(_only_member(packed))

    def _encoding(self, file: BufferedReader, head: bytes) -> str:
        """Recognise the encoding of a text."""
        if self.options.encoding is not None:
            return self.options.encoding
        for mark, encoding in BYTE_ORDER_MARKS:
            if head.startswith(mark):
                return self._noted_encoding(encoding)
        nulls = (head[::2].count(0), head[1::2].count(0))  # half of UTF-16, in Western languages
        for is_odd, encoding in enumerate(("utf-16-be", "utf-16-le")):
            if nulls[is_odd] > len(head) / 4 and not nulls[1 - is_odd]:
                return self._noted_encoding(encoding)
        for mark, name in MARKUP:
            if head.lstrip()[: len(mark)].lower() == mark:
                raise ValueError(f"it is {name}; save the table as CSV.")
        if _BINARY.search(head):
            raise ValueError("it is no table in text; save the table as CSV.")
        if _is_utf8(file, head):
            return "utf-8"
        for encoding in FALLBACK_ENCODINGS:
            with suppress(UnicodeDecodeError):
                head.decode(encoding)
                break
        return self._noted_encoding(encoding)

    def _noted_encoding(self, encoding: str) -> str:
        """Add an encoding to what was recognised."""
        if encoding != "utf-8-sig":  # which differs in nothing that a reader has to know
            self.recognised.append(f"the encoding {encoding} (--encoding)")
        return encoding

    def _csv_pieces(
        self, file: BufferedReader, head: bytes, encoding: str
    ) -> Iterator[pd.DataFrame]:
        """Yield the pieces of a text; pandas would take an interrupt for a damaged file."""
        lines = _lines(head, encoding)
        n_lines = 0
        separator = self.options.separator
        while lines and (not lines[0].strip() or _SEPARATOR_LINE.match(lines[0])):
            written = _SEPARATOR_LINE.match(lines.pop(0))
            n_lines += 1
            if written and separator is None:
                separator = written[1]
        if not lines:
            raise pd.errors.EmptyDataError
        lines[0] = lines[0].removeprefix("# ")  # as NumPy writes names of columns
        if any(_RULE.fullmatch(line.strip()) for line in lines[1:3]):
            raise ValueError(
                "it is a table that was drawn with lines, as psql and Markdown do; save it as CSV "
                "(psql: --csv, or copy ... with csv header)."
            )
        n_above = self._n_lines_above(lines, separator)
        lines = lines[n_above:]
        n_lines += n_above
        if separator is None:
            separator = _separator(lines, self._columns)
        if separator != "," and self.options.sep is None:
            kind = SEPARATOR_NAMES.get(separator, describe(separator))
            self.recognised.insert(0, f"{kind} between columns (--sep)")
        reader = _rows(lines, separator)
        rows = list(islice(reader, 1))
        if self._header_place(rows) is None:
            width = max(len(row) for row in _rows(lines[:MAX_HEAD_ROWS], separator))
            names = self._numbered_names(width)
            self.first_row = n_lines + 1
        else:
            n_lines += reader.line_num
            self.first_row = n_lines + 1
            values = list(islice(reader, MAX_HEAD_ROWS))
            names = self._names(_complete(rows[0], values, self.first_row))
        source = _Source(file)
        try:
            yield from pd.read_csv(
                source,
                chunksize=ROWS_PER_PIECE,
                sep=r"\s+" if separator == " " else separator,
                encoding=encoding,
                header=None,
                names=names,
                skiprows=n_lines,
                skipinitialspace=True,
                na_values=list(MISSING_VALUES),
                low_memory=False,
            )
        except ValueError:
            if source.interrupt is not None:
                raise source.interrupt from None
            raise

    def _n_lines_above(self, lines: Sequence[str], separator: str | None) -> int:
        """Count the lines of a title above the names of the columns."""
        if self.options.header is False:
            return 0
        for known in [separator] if separator else list(SEPARATOR_NAMES)[:-1]:  # titles have spaces
            with suppress(csv.Error):
                head = lines[:MAX_LINES_ABOVE_HEADER]
                place = self._n_rows_of_title([next(_rows([line], known), []) for line in head])
                if place:
                    return place
        return 0

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Describe an error in a file in one line."""
        kind = TABLE_KINDS.get(Path(self.path).suffix.lower())
        try:
            yield
        except pd.errors.EmptyDataError:
            raise ValueError(f"{self.name} is empty.") from None
        except ImportError:
            if kind is None:
                raise ValueError(
                    'reading parquet files needs pyarrow: pip install "rocviz[parquet]"'
                ) from None
            raise ValueError(
                f"reading {kind.name} files needs {kind.package}: pip install {kind.package}, or "
                "save the table as CSV."
            ) from None
        except UnicodeDecodeError as error:
            raise ValueError(
                f"{self.name} cannot be read: {reason(error)}. Name its encoding, such as "
                "--encoding cp1252."
            ) from None
        # including errors of pandas, of pyarrow and of what undoes a compression
        except (ValueError, OSError, EOFError, BadZipFile, lzma.LZMAError) as error:
            if isinstance(error, FileNotFoundError):
                raise ValueError(f"there is no file {self.path}.") from None
            raise ValueError(f"{self.name} cannot be read: {reason(error)}") from None


class _SheetError(ValueError):
    """A sheet that does not exist."""


class _Source(RawIOBase):
    """A file that notes when the user interrupts its reading."""

    interrupt: KeyboardInterrupt | None = None

    def __init__(self, file: Any) -> None:
        self._file = file

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            read: int = self._file.readinto(buffer)
        except KeyboardInterrupt as interrupt:
            self.interrupt = interrupt
            raise
        return read


class _Filled(RawIOBase):
    """A file that reads as much as it is asked for, until its end; a pipe gives less."""

    def __init__(self, file: Any) -> None:
        self._file = file

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        read = 0
        view = memoryview(buffer)
        while read < len(view):
            block = self._file.read(len(view) - read)
            if not block:
                break
            view[read : read + len(block)] = block
            read += len(block)
        return read


def _peekable(file: Any) -> BufferedReader:
    return BufferedReader(_Filled(file), HEAD_BYTES)


def _zstd_file(file: Any) -> Any:
    """Undo the compression of a zstd file with whichever package can."""
    try:
        from zstandard import ZstdDecompressor
    except ImportError:
        pass
    else:
        return ZstdDecompressor().stream_reader(file, read_across_frames=True)
    try:
        from pyarrow import CompressedInputStream, PythonFile
    except ImportError:
        raise ValueError(
            "reading zstd files needs zstandard: pip install zstandard, or unpack the file first."
        ) from None
    return _Arrow(CompressedInputStream(PythonFile(file, mode="r"), "zstd"))


class _Arrow:
    """A file of pyarrow, read like those of Python."""

    def __init__(self, file: Any) -> None:
        self._file = file

    def read(self, size: int) -> bytes:
        return bytes(self._file.read(size))


def _only_member(file: Any) -> BufferedIOBase | Any:
    """Open the table in a zip archive."""
    try:
        file.seek(0)
        archive = ZipFile(file)
    except OSError:
        raise ValueError("a zip archive cannot be read from a pipe; unpack it first.") from None
    names = [
        name
        for name in archive.namelist()
        if not name.endswith("/") and not name.startswith("__MACOSX/")
    ]
    if "xl/workbook.xml" in names:
        raise ValueError("it is an Excel file; let its name end in .xlsx, or save it as CSV.")
    if len(names) != 1:
        raise ValueError(f"the archive holds {len(names)} files; unpack it, and name one of them.")
    return archive.open(names[0])


def _is_utf8(file: BufferedReader, head: bytes) -> bool:
    """Whether a text is in UTF-8; all of a file is decoded, but only the beginning of a pipe."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        decoder.decode(head)
    except UnicodeDecodeError:
        return False
    raw = getattr(file.raw, "_file", None)
    if not (isinstance(raw, BufferedReader) and raw.seekable()):
        return True
    place = raw.tell()
    try:
        while block := raw.read(BLOCK_BYTES):
            decoder.decode(block)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    finally:
        raw.seek(place)
    return True


def _lines(head: bytes, encoding: str) -> list[str]:
    """Split the beginning of a text into lines, without one that may be cut off."""
    text = codecs.getincrementaldecoder(encoding)().decode(head)
    lines = re.split(r"(?<=\n)|(?<=\r)(?!\n)", text)
    if len(head) >= HEAD_BYTES and len(lines) > 1:
        lines.pop()
    return [line for line in lines if line]


def _rows(lines: Sequence[str], separator: str) -> Any:
    return csv.reader(lines, delimiter=separator, skipinitialspace=True)


def _separator(lines: Sequence[str], columns: Sequence[str]) -> str:
    """Recognise the separator.

    The best one makes most of the wanted columns, then as many fields in each row as in the header,
    then fields without another separator, then most columns; spaces are also around other
    separators.
    """

    def quality(separator: str) -> tuple[int, float, bool, bool, int]:
        reader = _rows(lines, separator)
        try:
            header = [name.strip() for name in next(reader)]
            widths = [len(row) for row in islice(reader, MAX_HEAD_ROWS) if row]
        except csv.Error:
            return 0, 0.0, False, False, 0
        n_wanted = len(set(header) & set(columns))
        n_fitting = sum(width in (len(header), len(header) + 1) for width in widths)
        share = n_fitting / max(len(widths), 1)
        if len(header) == 1:
            share = 0.0
        is_whole = not any(set(name) & set(";\t|") for name in header)
        return n_wanted, share, separator != " ", is_whole, len(header)

    return max(SEPARATOR_NAMES, key=quality)


def _complete(header: Sequence[str], rows: Sequence[Sequence[str]], first_row: int) -> list[str]:
    """Add a name for row names, as R writes them, or for separators at the ends of rows."""
    n_columns = len(header)
    rows = [row for row in rows if row]
    longer = [row for row in rows if len(row) > n_columns]
    if not longer:
        return list(header)
    if len(longer) == len(rows) and all(len(row) == n_columns + 1 for row in rows):
        if not any(row[-1].strip() for row in rows):
            return [*header, ""]
        if max(Counter(row[0] for row in rows).values()) == 1:
            return ["", *header]
    number = first_row + next(i for i, row in enumerate(rows) if len(row) > n_columns)
    width = len(longer[0])
    raise ValueError(
        f"row {number} has {width} fields, the header {n_columns}; leave out lines above the names "
        "of the columns, or, if numbers have decimal commas, separate columns by semicolons."
    )
