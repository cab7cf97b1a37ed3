"""Writes docs/pictures/summary.png: the hybrid sample's Summary, printed by LibreOffice and drawn by poppler."""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from expected import laid_out

from planner.workbook.write import write

ROOT = Path(__file__).resolve().parent.parent
INPUT = ROOT / "samples" / "hybrid" / "input.xlsx"
TARGET = ROOT / "docs" / "pictures" / "summary.png"
DPI = 110
SECONDS = 300


def program(*names: str) -> str:
    """The first of these programs that the machine has. Ends the script where it has none."""
    found = next((path for name in names if (path := shutil.which(name))), None)
    if found is None:
        sys.exit(f"{names[0]} is missing: install LibreOffice (libreoffice-calc) and poppler-utils.")
    return found


def run(*command: str) -> str:
    """What a program prints. Ends the script where it fails."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    if done.returncode:
        sys.exit(f"{command[0]} failed: {(done.stderr or done.stdout).strip()[-400:]}")
    return done.stdout


def printed(plan: Path, folder: Path) -> Path:
    """The plan as a PDF, by a LibreOffice with a profile of its own."""
    profile = (folder / "profile").as_uri()
    run(program("soffice", "libreoffice"), f"-env:UserInstallation={profile}", "--headless", "--norestore",
        "--convert-to", "pdf", "--outdir", str(folder), str(plan))  # fmt: skip
    return plan.with_suffix(".pdf")


def page_of(pdf: Path, tab: str) -> int:
    """The first page of a tab: its name stands below the print header."""
    for number, page in enumerate(run(program("pdftotext"), "-layout", str(pdf), "-").split("\f"), 1):
        head = [line.strip() for line in page.splitlines() if line.strip()][:3]
        if any(line.startswith(tab) for line in head[1:]):
            return number
    sys.exit(f"No page of the plan is headed {tab}.")


def main() -> int:
    """Write the picture."""
    argparse.ArgumentParser(description="Write docs/pictures/summary.png from samples/hybrid/input.xlsx.").parse_args()
    if not INPUT.is_file():
        sys.exit(f"There is no {INPUT}: run `make samples`.")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(laid_out(INPUT), folder / "plan.xlsx")
        pdf = printed(folder / "plan.xlsx", folder)
        page = str(page_of(pdf, "Summary"))
        TARGET.parent.mkdir(parents=True, exist_ok=True)
        run(program("pdftoppm"), "-png", "-r", str(DPI), "-f", page, "-l", page, "-singlefile", str(pdf),
            str(TARGET.with_suffix("")))  # fmt: skip
    print(f"Wrote {TARGET}: page {page} at {DPI} dpi.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
