"""What these tests share."""

from __future__ import annotations

from typing import Any

from typer.main import get_command

from planner.cli import app

COMMANDS: dict[str, Any] = get_command(app).commands  # type: ignore[attr-defined]
