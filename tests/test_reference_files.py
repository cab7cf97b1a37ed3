"""The files of reference data: format, provenance, keys, and the page that counts them."""

from __future__ import annotations

import csv
import re

import pytest
from refdata import COLUMNS, DATA, FILES, GUIDE_AS_OF, ROWS, TEXT, table

# Every file ---------------------------------------------------------------------------------------------------------


def test_the_folder_holds_these_files_and_no_others():
    own = {
        "checks",
        "choice_words",
        "choices",
        "months",
        "replica_sizes",
        "sample_routes",
        "sample_use_cases",
        "portfolio_checks",
        "portfolio_thresholds",
    }  # the product's own lists, no reference
    assert sorted({path.stem for path in DATA.glob("*.csv")} - own) == FILES


@pytest.mark.parametrize("name", FILES)
def test_file_format(name):
    raw = (DATA / f"{name}.csv").read_bytes()
    assert b"\r" not in raw and raw.endswith(b"\n") and not raw.startswith(b"\xef\xbb\xbf")
    lines = list(csv.reader(raw.decode("utf-8").splitlines()))
    assert lines[0] == COLUMNS[name].split(",")
    assert all(len(line) == len(lines[0]) for line in lines)
    assert all(cell == cell.strip() for line in lines for cell in line)
    assert len(lines) - 1 == ROWS[name]


@pytest.mark.parametrize("name", FILES)
def test_no_machine_path_or_working_folder(name):
    text = (DATA / f"{name}.csv").read_text(encoding="utf-8")
    assert not re.search(r"shared/|(?<![\w.])/(?:work|tmp|home|root|Users)/|[A-Z]:\\|find_string|guide-questions", text)


@pytest.mark.parametrize("name", FILES)
def test_every_row_has_its_provenance(name):
    for row in table(name):
        where = f"{name}: {next(iter(row.values()))}"
        assert row["source"], where
        if "confidence" in row:
            assert row["confidence"] in {"measured", "published", "estimated"}, where
        if "as_of" in row:
            assert row["as_of"] or "as_of unknown: " in row["note"], where
        if row["source"].startswith("planning guide"):
            assert re.match(r"planning guide(, step)? \d\.\d", row["source"]), where
            assert row.get("as_of", GUIDE_AS_OF) == GUIDE_AS_OF and row.get("confidence", "estimated") == "estimated"


@pytest.mark.parametrize("name", FILES)
def test_keys_are_unique(name):
    keys = [next(iter(row.values())) for row in table(name)]
    assert all(keys)
    assert len({key.casefold() for key in keys}) == len(keys)


@pytest.mark.parametrize("name", [n for n in FILES if n != "defaults"])
def test_numbers_are_plain_and_not_negative(name):
    for row in table(name):
        for column, cell in row.items():
            if column in TEXT or column == "same_as" or not cell or (name == "thresholds" and column == "direction"):
                continue
            assert re.fullmatch(r"\d+(\.\d+)?", cell), (name, column, cell)


@pytest.mark.parametrize("name", ["models", "api_models", "gpus", "throughput"])
def test_names_are_safe_for_a_lookup(name):
    """Excel's MATCH reads * ? ~ as wildcards and ignores case."""
    assert not [row for row in table(name) if set(next(iter(row.values()))) & set("*?~")]


def test_the_page_about_the_data_counts_its_files_and_rows() -> None:
    page = (DATA.parent / "docs" / "reference-data.md").read_text(encoding="utf-8")
    told = {name: int(rows) for name, rows in re.findall(r"^\| `(\w+\.csv)` \| (\d+) \|", page, re.MULTILINE)}
    assert told == {path.name: len(table(path.stem)) for path in sorted(DATA.glob("*.csv"))}
