"""A laboratory's file: which column is which, and each result read with its bottle, unit and what else is said of it.

Columns may stand in any order below a title, by these names (capitals, spaces and brackets do not matter). Either a
column for each test, "BOD5 (mg/L)" and "TSS", or one result a line with its test beside it ("parameter", "result").
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from intake.forms.flow_file import DAY_LIKE, TITLES, day_of
from intake.forms.flow_sheet import BadCell, NotReadableError, Sheet, letter, plain, sheets_of
from intake.forms.lab_book import SheetFacts, facts_of
from intake.queries.lab_import import LabLine
from ordinances.lab_words import is_not_found, is_unit, read_result
from ordinances.refusal import Refusal
from ordinances.strength import ABOVE, BELOW, MG_L, PARAMETERS

# What each column may be called; the first name that is there counts.
COLUMNS = {
    "bottle": "bottle bottle_number bottle_no client_sample_id client_id field_id sample_id sample_number sample_no "
    "sample",
    "ticket": "ticket load_ticket ticket_number load_number load",
    "parameter": "parameter analyte test constituent",
    "result": "result value final_result concentration",
    "unit": "unit units result_unit",
    "flag": "qualifier flag qual result_flag",
    "limit": "detection_limit limit_of_detection lod mdl dl reporting_limit rl loq limit_of_quantitation "
    "quantitation_limit pql",
    "lod": "limit_of_detection lod detection_limit mdl dl",
    "loq": "limit_of_quantitation loq quantitation_limit pql reporting_limit rl",
    "method": "method analysis_method test_method",
    "analyst": "analyst analyzed_by analysed_by",
    "lab_number": "lab_number lab_no lab_id lab_sample_id lab_sample_number laboratory_number laboratory_id",
    "sampled": "sampled date_sampled sample_date collected date_collected collection_date",
    "received": "received date_received received_date",
    "analysed": "analyzed analysed date_analyzed date_analysed analysis_date",
}
TESTS = {
    "BOD5": "bod5 bod bod_5 biochemical_oxygen_demand bod5_total",
    "TSS": "tss ss suspended_solids total_suspended_solids",
    "P": "p tp phosphorus total_phosphorus phosphorus_total",
    "TN": "tn total_nitrogen nitrogen_total",
    "NH3-N": "nh3_n nh3 ammonia ammonia_nitrogen ammonia_as_n",
    "pH": "ph",
}
BY_NAME = {word: test for test, words in TESTS.items() for word in words.split()}
UNITS = {"mg_l": "mg/L", "ppm": "ppm", "su": "SU", "s_u": "SU", "std_units": "SU", "ug_l": "ug/L", "g_l": "g/L",
         "percent": "%", "mg_kg": "mg/kg"}  # fmt: skip
# Flags by which laboratories say that nothing was found, with the limit in place of the result.
NOTHING_FOUND = ("u", "nd", "<")
UNCLEAR = "Say < in each result's own cell, or one result a line"
# 4.200 and 4,200: thousands in one country, thousandths in another. 0.162 and 12.862,5 say which.
TWO_READINGS = r"[<>]?\s*([1-9][0-9]{0,2})[.,]([0-9]{3})(?![0-9.,])"
DAYS = ("sampled", "received", "analysed")
HEAD = "One line must name the columns bottle and BOD5 or TSS, or bottle, parameter and result."


@dataclass
class LabFile:
    """The results of a file in its order, and what was left out: lines of other tests by name."""

    lines: list[LabLine] = field(default_factory=list)
    others: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class _Columns:
    """Where each column stands, the tests that have one of their own, and the words by which a cell is named."""

    at: Mapping[str, int]
    tests: Mapping[str, int]
    names: list[str]
    # Cells stand between semicolons, as where the comma is the decimal sign and the dot parts thousands.
    semicolons: bool = False

    def every(self, what: str) -> list[int]:
        """Every column of this kind: a file may have one beside each test."""
        words = COLUMNS[what].split()
        return [index for index, name in enumerate(self.names) if plain(name) in words]

    def flags(self) -> list[int]:
        """Every column of flags, with those that name a test: "BOD5 qualifier"."""
        ends = tuple(f"_{word}" for word in COLUMNS["flag"].split())
        named = [index for index, name in enumerate(map(plain, self.names))
                 if name.endswith(ends) and name.rpartition("_")[0] in BY_NAME]  # fmt: skip
        return sorted({*self.every("flag"), *named})

    def called(self, index: int) -> str:
        name = self.names[index] if index < len(self.names) else ""
        return f"{letter(index)} ({name})" if name else letter(index)


class LabNotReadableError(NotReadableError):
    """Cells of the file cannot be read; ``found`` is what could be, so that what else is wrong is said at once."""

    def __init__(self, why: str, cells: list[BadCell], found: LabFile) -> None:
        super().__init__(why, cells)
        self.found = found


def read_lab(content: bytes) -> LabFile:
    """Read a whole file. Raises NotReadableError: why not, with each cell to mend."""
    sheets, facts, unclear = sheets_of(content), facts_of(content), _has_semicolons(content)
    for which, sheet in enumerate(sheets):
        for place, (head, cells) in enumerate(sheet.rows[:TITLES]):
            if columns := _columns(cells):
                columns = replace(columns, semicolons=unclear)
                _only_sheet(which, sheets, facts)
                uncounted = [one for one in facts[which].uncounted if one[0] > head] if facts else []
                return _file(Sheet(sheet.rows[place + 1 :], sheet.mac), columns, uncounted)
    raise NotReadableError(HEAD)


def _has_semicolons(content: bytes) -> bool:
    """Whether the first line of a text file parts its cells by semicolons."""
    head = next((line for line in content.splitlines() if line.strip(b"\0 \t\xff\xfe")), b"")
    return not content.startswith(b"PK") and head.count(b";") > max(head.count(b","), head.count(b"\t") - 1)


def _only_sheet(which: int, sheets: list[Sheet], facts: list[SheetFacts]) -> None:
    """Raises NotReadableError where another sheet of the workbook holds something, which nobody would read."""
    for index, fact in enumerate(facts):
        if index != which and (sheets[index].rows or fact.uncounted):
            raise NotReadableError(f"The sheet {fact.name!r} holds rows too. Save each sheet with results as a file "
                                   "of its own, and take the others out.")  # fmt: skip


def _columns(cells: list[str]) -> _Columns | None:
    """The columns a row names; None where it does not name whose the results are, or no result."""
    names = [plain(cell) for cell in cells]
    at = {what: names.index(word) for what, words in COLUMNS.items()
          if (word := next((one for one in words.split() if one in names), None)) is not None}  # fmt: skip
    tests: dict[str, int] = {}
    for index, name in enumerate(names):
        test = _test(name, cells[index])
        if test is not None and test in tests:
            both = f"{cells[tests[test]]} and {cells[index]}"
            raise NotReadableError(f"The columns {both} both hold the same test. Keep one of them.")
        if test is not None:
            tests[test] = index
    if not at.keys() & {"bottle", "ticket"} or not (tests or at.keys() >= {"parameter", "result"}):
        return None
    return _Columns(at, {} if at.keys() >= {"parameter", "result"} else tests, cells)


def _is_nothing_found(flag: str) -> bool:
    return flag.casefold() in NOTHING_FOUND or is_not_found(flag)


def _test(name: str, cell: str) -> str | None:
    """The test a column holds; None for another column. Raises NotReadableError for one in another unit."""
    if name in BY_NAME:
        return BY_NAME[name]
    for suffix, unit in UNITS.items():
        test = BY_NAME.get(name.removesuffix(f"_{suffix}")) if name.endswith(f"_{suffix}") else None
        if test is not None and not is_unit(unit, PARAMETERS[test]):
            raise NotReadableError(f"The column {cell} is in another unit. Results are in {PARAMETERS[test].unit}.")
        if test is not None:
            return test
    return None


def _file(sheet: Sheet, columns: _Columns, uncounted: Sequence[tuple[int, int, str]]) -> LabFile:
    found = LabFile()
    bad = [BadCell(number, columns.called(index), f"the formula {formula} has no value kept",
                   "Open the file in Excel and save it again, or type the value")
           for number, index, formula in uncounted]  # fmt: skip
    named = {one.row for one in bad}
    for number, cells in sheet.rows:
        row, before = _Row(number, cells, columns, sheet.mac), (len(bad), sum(found.others.values()))
        lines = list(row.lines(bad, found.others))
        found.lines += lines
        if not lines and number not in named and before == (len(bad), sum(found.others.values())):
            bad.append(row.without_result())
    if bad:
        bad.sort(key=lambda one: one.row)
        raise LabNotReadableError("Nothing was taken. Mend these cells and import the file again.", bad, found)
    if not found.lines:
        raise NotReadableError("The file holds no results.")
    return found


@dataclass(frozen=True)
class _Row:
    """One row of the file."""

    number: int
    cells: list[str]
    columns: _Columns
    mac: bool

    def cell(self, what: str) -> str:
        """What stands in a column, "" where the file has none."""
        index = self.columns.at.get(what)
        return self.at(index) if index is not None else ""

    def at(self, index: int) -> str:
        """What stands in a column by its place, "" past the end of the row."""
        return self.cells[index] if index < len(self.cells) else ""

    def without_result(self) -> BadCell:
        """What is said of a row that holds something and gives no result."""
        index = min(self.columns.tests.values(), default=self.columns.at.get("result", 0))
        return BadCell(self.number, self.columns.called(index), "the row holds no result",
                       "Enter one, like 4,200, or <2 if not detected, or take the row out")  # fmt: skip

    def lines(self, bad: list[BadCell], others: dict[str, int]) -> Iterator[LabLine]:
        """The results of this row; what is wrong with them goes to ``bad``, other tests to ``others``."""
        results = list(self._results(bad, others))
        if not results:
            return
        if not self.cell("bottle") and not self.cell("ticket"):
            index = self.columns.at.get("bottle", self.columns.at.get("ticket", 0))
            bad.append(BadCell(self.number, self.columns.called(index), "the bottle is missing",
                               "Type the number on the label"))  # fmt: skip
            return
        days = self._days(bad)
        for line in results:
            lod, loq = self._limits()
            said = replace(line, method=self.cell("method")[:100], analyst=self.cell("analyst")[:100],
                           lab_number=self.cell("lab_number")[:60], sampled=days.get("sampled", ""),
                           received=days.get("received", ""), analysed=days.get("analysed", ""),
                           lod=lod, loq=loq)  # fmt: skip
            if two := self._two_readings(said):
                bad.append(BadCell(self.number, said.column, f"{two[0]!r} can be {two[1]} or {two[2]}",
                                   f"Write it as {two[1]} or {two[2]}"))  # fmt: skip
                continue
            reading = read_result(said.text, said.parameter, said.limit)
            if isinstance(reading, Refusal):
                bad.append(BadCell(self.number, said.column, f"{said.text!r} is not a result", reading.why))
            else:
                yield said

    def _limits(self) -> tuple[str, str]:
        """Both limits the laboratory states; beside several tests nobody knows of which they are."""
        lod, loq = self.cell("lod"), self.cell("loq")
        return (lod, loq) if len(self.columns.tests) < 2 and lod and loq else ("", "")

    def _two_readings(self, said: LabLine) -> tuple[str, str, str] | None:
        """A figure such as 4.200 between semicolons, as it stands, and the two it can be: 4200 and 4.2."""
        for text in (said.text, said.limit if is_not_found(said.text) else ""):
            if self.columns.semicolons and (found := re.match(TWO_READINGS, text)):
                whole, rest = found[1], found[2]
                return text, f"{whole}{rest}", f"{whole}.{rest}".rstrip("0").rstrip(".")
        return None

    def _results(self, bad: list[BadCell], others: dict[str, int]) -> Iterator[LabLine]:
        # With one test, a flag beside it may stand for the result.
        flagged = len(self.columns.tests) == 1 and _is_nothing_found(self.cell("flag"))
        mine = {test: index for test, index in self.columns.tests.items() if self.at(index) or flagged}
        if mine and (self._in_another_unit(list(mine), bad) or self._unclear(bad)):
            return
        for test, index in mine.items():
            yield self._flagged(test, index)
        if self.columns.tests:
            return
        named, index = self.cell("parameter"), self.columns.at["result"]
        named_test = BY_NAME.get(plain(named))
        if not named and self.cell("result"):
            bad.append(BadCell(self.number, self.columns.called(self.columns.at["parameter"]), "the test is missing",
                               "Name it, like BOD5 or TSS"))  # fmt: skip
        if not named:
            return
        if named_test is None:
            others[named] = others.get(named, 0) + 1
            return
        if not self.cell("result") and not _is_nothing_found(self.cell("flag")):
            return
        if not self._in_another_unit([named_test], bad):
            yield self._flagged(named_test, index)

    def _in_another_unit(self, tests: Sequence[str], bad: list[BadCell]) -> bool:
        """Whether a unit beside the results is not theirs. pH has its own: beside other tests it is not meant."""
        meant = [test for test in tests if PARAMETERS[test].unit == MG_L] or tests
        right, found = PARAMETERS[meant[0]].unit, False
        for index in self.columns.every("unit"):
            unit = self.at(index)
            if unit and not any(is_unit(unit, PARAMETERS[test]) for test in meant):
                bad.append(BadCell(self.number, self.columns.called(index), f"{unit!r} is another unit",
                                   f"Results are in {right}. Enter the result in {right}"))  # fmt: skip
                found = True
        return found

    def _unclear(self, bad: list[BadCell]) -> bool:
        """Whether a flag stands beside several tests: of which of them it is, nobody knows."""
        flags = [index for index in self.columns.flags() if self.at(index)]
        if len(self.columns.tests) < 2 and flags == [self.columns.at.get("flag")]:
            return False
        bad.extend(BadCell(self.number, self.columns.called(index),
                           f"which result {self.at(index)!r} belongs to is unclear", UNCLEAR)
                   for index in flags)  # fmt: skip
        return bool(flags)

    def _flagged(self, test: str, index: int) -> LabLine:
        """A result with the flag beside it: < and > count, and those by which nothing was found."""
        text, flag = self.at(index), self.cell("flag")
        own = " ".join(filter(None, (flag, text))) if flag else text
        if not text:
            # The limit stands for the result, as it does for ND.
            limit = self.cell("limit")
            text = limit if limit[:1] == BELOW else f"{BELOW}{limit}" if limit else "ND"
            return self._line(test, index, text, f"{flag}, limit {limit}" if limit else flag)
        if _is_nothing_found(flag) and text[:1] not in (BELOW, ABOVE) and text[:1].isdigit():
            return self._line(test, index, f"{BELOW}{text}", own)
        return self._line(test, index, f"{ABOVE}{text}" if flag == ABOVE and text[:1].isdigit() else text, own)

    def _line(self, test: str, index: int, text: str, own: str) -> LabLine:
        return LabLine(self.number, self.columns.called(index), self.cell("bottle"), self.cell("ticket"), test, text,
                       self.cell("limit"), own[:60] if own != text else "")  # fmt: skip

    def _days(self, bad: list[BadCell]) -> dict[str, str]:
        found = {}
        for name in DAYS:
            text = self.cell(name)
            try:
                found[name] = day_of(text, self.mac).isoformat() if text else ""
            except ValueError:
                column = self.columns.called(self.columns.at[name])
                bad.append(BadCell(self.number, column, f"{text!r} is not a day", DAY_LIKE))
        return found
