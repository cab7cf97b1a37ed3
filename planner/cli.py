"""The commands. Each reads arguments, calls the rooms that know, and says what came of it; nothing else lives here."""

from __future__ import annotations

import datetime as dt
import gc
import io
import json
import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from planner import terminal
from planner.labels import Translate, languages, translator
from planner.problem import InputProblems, Problem, Questions, said, spoken

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    help="Turns a workbook of AI inference demand into a live Excel plan of capacity and cost.",
    pretty_exceptions_enable=False,
)
DONE, ATTENTION, WRONG_INPUT, QUESTIONS = 0, 1, 2, 3
Language = Annotated[str, typer.Option("--lang", help="Language of the workbook: en or zh.")]


@app.command()
def init(
    path: Annotated[Path, typer.Argument(help="The input workbook to write.")],
    sample: Annotated[str, typer.Option("--sample", help="A filled sample: api, on-prem, hybrid or ledger.")] = "",
    lang: Language = "en",
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")] = False,
) -> None:
    """Write an input workbook, blank or as a filled sample."""
    from planner.samples import SAMPLES
    from planner.workbook.blank import laid_out
    from planner.workbook.write import write

    t = _words_of(lang)
    if sample and sample not in SAMPLES:
        wanted = said("one of {options}", options=", ".join(SAMPLES))
        _refuse(Problem("--sample", repr(sample), wanted, said("choose one of them")), t)
    _known_language(lang)
    _writable(path, force, t)
    with terminal.progress(t("Writing the input workbook")):
        inputs = SAMPLES[sample](lang) if sample else None
        write(laid_out(inputs, lang), path, lang)
    wrote = said("Wrote {path}: a blank input workbook.", path=path)
    following = said(
        "Next: fill the amber cells on Plan and Models, then build it with: planner build {path} -o plan.xlsx",
        path=path,
    )
    if sample:
        wrote = said("Wrote {path}: the sample {sample}.", path=path, sample=sample)
        following = said("Next: build it with: planner build {path} -o plan.xlsx", path=path)
    terminal.say(spoken(wrote, t))
    terminal.say(spoken(following, t))


@app.command()
def check(
    path: Annotated[Path, typer.Argument(metavar="INPUT", help="An input workbook or a built plan.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print problems and questions as JSON.")] = False,
) -> None:
    """Say what is missing or wrong in an input workbook; write nothing."""
    from planner.inputs.echo import asked

    problems: list[Problem] = []
    questions: list[Any] = []
    code, t = DONE, _words_of("")
    try:
        inputs = _inputs(path)
        if not as_json:
            counts = {"models": len(inputs.used("Models")), "tenants": len(inputs.used("Tenants"))}
            complete = said("{path} is complete: {models} model(s), {tenants} tenant(s).", path=path, **counts)
            terminal.say(spoken(complete, _words_of(inputs.plan.language)))
            terminal.say(spoken(asked(inputs), _words_of(inputs.plan.language)))
            for warning in inputs.warnings:
                terminal.err.print(spoken(warning, _words_of(inputs.plan.language)), markup=False)
    except InputProblems as bad:
        problems, code, t = bad.problems, WRONG_INPUT, _words_of(bad.language)
        if not as_json:
            terminal.problems(problems, t)
    except Questions as gate:
        questions, code = gate.questions, QUESTIONS
        if not as_json:
            terminal.questions(gate)
    if as_json:
        print(json.dumps(_findings(problems, questions, t), ensure_ascii=False, indent=2))
    raise typer.Exit(code)


@app.command()
def build(
    path: Annotated[Path, typer.Argument(metavar="INPUT", help="An input workbook or a built plan.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="The plan workbook to write.")],
    report: Annotated[Path | None, typer.Option("--report", help="Write the report too, .md or .html.")] = None,
    json_path: Annotated[Path | None, typer.Option("--json", help="Write the plan as JSON too.")] = None,
    illustrative: Annotated[
        bool, typer.Option("--illustrative", help="Fill gaps from defaults and mark the plan.")
    ] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Exit 1 when the plan is at risk or critical.")] = False,
    as_of: Annotated[str, typer.Option("--as-of", help="Date to print, YYYY-MM-DD.")] = "",
    lang: Annotated[str, typer.Option("--lang", help="en or zh; the input's language otherwise.")] = "",
    protect: Annotated[bool, typer.Option("--protect", help="Protect calculated cells, without a password.")] = False,
) -> None:
    """Compute the plan and write it as a live workbook."""
    from planner.plan import compute, document
    from planner.report import SUFFIXES, write_report
    from planner.verify.package import is_plan
    from planner.workbook.layout import built
    from planner.workbook.write import write

    if lang:
        _known_language(lang)
    t = _words_of(lang)
    if as_of:
        as_of = _day(as_of, t).isoformat()
    _writable(output, True, t)
    for more, endings in ((json_path, (".json",)), (report, SUFFIXES)):
        if more:
            _writable(more, True, t, endings)
    if output.resolve() == path.resolve():
        do = said("the input is never touched: name a new file")
        _refuse(Problem("-o", str(output), said("another file than the input"), do), t)
    if output.exists() and output.stat().st_size and not is_plan(output):
        found, do = said("a file that is no plan, and would be lost"), said("choose another name, or delete the file")
        _refuse(Problem(str(output), found, said("a new file, or a plan to replace"), do), t)
    try:
        with terminal.progress(t("Reading")):
            inputs = _inputs(path, illustrative, language=lang)
        t = _words_of(lang or inputs.plan.language)
        with terminal.progress(t("Computing")):
            plan = compute(inputs, lang or None, as_of or None)
        with terminal.progress(t("Writing")):
            write(built(plan), output, plan.language, protect)
            if report:
                write_report(plan, report)
            if json_path:
                json_path.write_text(json.dumps(document(plan), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    except InputProblems as bad:
        terminal.problems(bad.problems, _words_of(bad.language or lang))
        raise typer.Exit(WRONG_INPUT) from None
    except Questions as gate:
        terminal.questions(gate)
        raise typer.Exit(QUESTIONS) from None
    _summary(plan, [f for f in (output, report, json_path) if f])
    level = plan.value("risk_level")
    raise typer.Exit(ATTENTION if strict and level in ("risk", "critical") else DONE)


@app.command()
def verify(
    path: Annotated[Path, typer.Argument(metavar="PLAN.xlsx", help="A built plan.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the verdict as JSON.")] = False,
) -> None:
    """Recalculate a plan with an independent engine, compare every formula cell, audit the form."""
    from planner.verify.package import Unreadable
    from planner.verify.report import as_dict
    from planner.verify.report import verify as run

    do = said("name a file that `planner build` wrote")
    try:
        with terminal.progress("Recalculating"):
            verdict = run(path)
    except Unreadable as bad:
        _refuse(Problem(str(path), bad.text, said("a plan workbook"), do), _words_of(""))
    t = _words_of(verdict.language)
    if not verdict.cells:
        _refuse(Problem(str(path), said("no formula"), said("a plan workbook"), do), t)
    if as_json:
        print(json.dumps(as_dict(verdict), ensure_ascii=False, indent=2))
    else:
        errors = [f for f in verdict.findings if f.severity == "error"]
        notes = len(verdict.findings) - len(errors)
        counts = {"equal": f"{verdict.equal:,}", "cells": f"{verdict.cells:,}"}
        equal = said("{path}: {equal} of {cells} formula cells equal in the independent engine.", path=path, **counts)
        terminal.say(spoken(equal, t))
        for difference in verdict.differences[:20]:
            terminal.say(f"  {spoken(difference.text, t)}")
        for finding in errors[:20]:
            terminal.say(f"  {finding.place}: {finding.rule}: {spoken(finding.text, t)}")
        more = max(0, len(verdict.differences) - 20) + max(0, len(errors) - 20)
        if more:
            terminal.say(spoken(said("  and {count} more (--json lists all).", count=more), t))
        form = said("Form rules: {errors} broken, {notes} note(s). NOT verified.", errors=len(errors), notes=notes)
        if verdict.ok:
            form = said("Form rules: {errors} broken, {notes} note(s). Verified.", errors=len(errors), notes=notes)
        terminal.say(spoken(form, t))
    raise typer.Exit(DONE if verdict.ok else ATTENTION)


@app.command()
def explain(
    path: Annotated[Path, typer.Argument(metavar="PLAN.xlsx", help="A built plan or an input workbook.")],
    line: Annotated[str, typer.Argument(help="A line, for example gpus_planned.")],
    at: Annotated[list[str] | None, typer.Option("--at", help="axis=value, for example month=2027-03.")] = None,
    depth: Annotated[int, typer.Option("--depth", min=0, help="How many steps down.")] = 4,
) -> None:
    """Show how a number came about: formula, operands and values, down to the inputs."""
    from planner.explain import Unknown, explained
    from planner.plan import compute
    from planner.workbook.layout import built

    t = _words_of("")
    try:
        plan = compute(_inputs(path, lenient=True))
        t = _words_of(plan.language)
        tree = explained(built(plan), line, at or [], depth)
    except InputProblems as bad:
        terminal.problems(bad.problems, _words_of(bad.language))
        raise typer.Exit(WRONG_INPUT) from None
    except Questions as gate:
        terminal.questions(gate)
        raise typer.Exit(QUESTIONS) from None
    except Unknown as bad:
        _refuse(bad.problem, t)
    terminal.out.print(tree)


@app.command()
def gpus(
    output: Annotated[Path, typer.Option("-o", "--output", help="The input workbook whose Pools are filled.")],
    sources: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="SOURCE", help="Saved metrics, `kubectl get nodes -o json`, or a CSV; several together."
        ),
    ] = None,
    prometheus: Annotated[str, typer.Option("--prometheus", help="Address of a Prometheus server.")] = "",
    start: Annotated[
        Path | None, typer.Option("--from", help="The workbook to start from, where it is not the output.")
    ] = None,
    cluster: Annotated[str, typer.Option("--cluster", help="Name of the cluster, where sources name none.")] = "",
    pool_label: Annotated[str, typer.Option("--pool-label", help="Label that names the pool of a node.")] = "",
    window: Annotated[float, typer.Option("--window", help="Minutes over which use is averaged.", min=0.1)] = 30.0,
    timeout: Annotated[float, typer.Option("--timeout", help="Seconds to wait for a reply.", min=0.1)] = 10.0,
    seconds_between: Annotated[
        float | None, typer.Option("--seconds-between", help="Seconds between two saved scrapes.", min=0.001)
    ] = None,
    as_of: Annotated[str, typer.Option("--as-of", help="Date of the evidence, YYYY-MM-DD.")] = "",
    lang: Annotated[str, typer.Option("--lang", help="en or zh; the workbook's language otherwise.")] = "",
) -> None:
    """Read live GPU evidence into the Pools of an input workbook."""
    from planner.evidence.gather import Ask, gathered
    from planner.evidence.merge import merged
    from planner.evidence.prometheus import Server
    from planner.refill import opened, rewritten

    if lang:
        _known_language(lang)
    t = _words_of(lang)
    day = _day(as_of, t) if as_of else None
    if not (sources or prometheus):
        do = said("name a file, or a server with --prometheus")
        _refuse(Problem("SOURCE", said("nothing"), said("a source of GPU evidence"), do), t)
    _writable(output, True, t)
    token = os.environ.get("PROMETHEUS_TOKEN", "")
    server = Server(prometheus, timeout, window * 60, token) if prometheus else None
    try:
        with terminal.progress(t("Reading")):
            workbook = opened(start or output, lang, must=start is not None)
            t = _words_of(workbook.language)
            evidence = gathered(Ask(tuple(sources or ()), server, cluster, pool_label, day, seconds_between))
        with terminal.progress(t("Writing")):
            pools = merged(workbook.inputs.rows["Pools"], evidence.rows)
            rewritten(workbook, {"Pools": pools.rows}, output)
    except InputProblems as bad:
        terminal.problems(bad.problems, t if lang or not bad.language else _words_of(bad.language))
        raise typer.Exit(WRONG_INPUT) from None
    for remark in [*workbook.inputs.warnings, *evidence.remarks, *pools.remarks]:
        terminal.err.print(spoken(remark, t), markup=False)
    terminal.say(spoken(said("Wrote {path}: {count} pool(s).", path=output, count=len(evidence.rows)), t))
    for row in evidence.rows:
        figures = {k: f"{v:g}" if (v := getattr(row, f"gpus_{k}")) is not None else said("unknown")
                   for k in ("total", "healthy", "allocated")}  # fmt: skip
        use = said("unknown") if row.core_utilization is None else f"{row.core_utilization:.0%}"
        told = said("  {pool}: {total} GPUs, {healthy} healthy, {allocated} allocated, utilization {use}",
                    pool=row.pool, use=use, **figures)  # fmt: skip
        terminal.say(spoken(told, t))


def _inputs(path: Path, illustrative: bool = False, lenient: bool = False, language: str = "") -> Any:
    """Typed inputs of a file. `lenient` leaves shares that do not add up to the checks."""
    from planner.inputs.gate import passed
    from planner.inputs.guard import UnsafeFile
    from planner.inputs.reader import read_draft

    try:
        draft = read_draft(path, language)
    except UnsafeFile as bad:
        raise InputProblems([Problem(str(path), bad.found, said("an input workbook"), bad.do)], language) from None
    return passed(draft, illustrative, lenient)


def _summary(plan: Any, files: list[Path]) -> None:
    from planner.inputs.echo import volume

    t = translator(plan.language)
    terminal.say(t("Wrote {files}.").format(files=", ".join(map(str, files))))
    terminal.say(str(plan.value("conclusion_verdict")))
    words = {"level": plan.value("overall_chip"), "why": plan.value("worst_label")}
    level = t("Risk level: {level} ({why}). Confidence: {confidence}.")
    terminal.say(level.format(**words, confidence=plan.value("confidence_words")))
    reasons = said("{checks}. {why}.", checks=plan.value("checks_sentence"), why=plan.value("why_confidence"))
    terminal.say(spoken(reasons, t))
    year = plan.value("annual_tokens")
    if isinstance(year, float):
        terminal.say(spoken(volume(year, plan.language), t))
    for name in plan.inputs.assumed:
        terminal.say(t("ILLUSTRATIVE: {name} was assumed.").format(name=name))
    for warning in plan.inputs.warnings:
        terminal.err.print(spoken(warning, t), markup=False)


def _findings(problems: list[Problem], asked: list[Any], t: Translate) -> dict[str, Any]:
    return {
        "schema_version": 1,
        "complete": not problems and not asked,
        "problems": [p.parts(t) for p in problems],
        "questions": [{"key": q.key, "text": q.text, "place": q.place, "options": list(q.options)} for q in asked],
    }


def _known_language(lang: str) -> None:
    if lang not in languages():
        wanted = said("one of {options}", options=", ".join(languages()))
        _refuse(Problem("--lang", repr(lang), wanted, said("choose one of them")), _words_of(""))


def _words_of(lang: str) -> Translate:
    """From English to a language; English where the language is unknown."""
    return translator(lang if lang in languages() else "en")


def _day(text: str, t: Translate) -> dt.date:
    """The date of an option."""
    from planner.inputs.typed import NotRead, date

    try:
        return date(text)
    except NotRead as bad:
        return _refuse(Problem("--as-of", repr(text), bad.wanted, bad.do), t)


def _writable(path: Path, force: bool, t: Translate, endings: tuple[str, ...] = (".xlsx",)) -> None:
    if path.suffix.lower() not in endings:
        found = said("the ending {ending}", ending=path.suffix) if path.suffix else said("the ending none")
        do = said("name the file so that it ends in {ending}", ending=endings[0])
        _refuse(Problem(str(path), found, " / ".join(endings), do), t)
    if not path.resolve().parent.is_dir():
        found, do = said("a folder that does not exist"), said("create {folder} first", folder=path.parent)
        _refuse(Problem(str(path), found, said("an existing folder"), do), t)
    if path.is_dir() or (path.exists() and not force):
        found, do = said("a file that exists already"), said("choose another name, or add --force")
        _refuse(Problem(str(path), found, said("a new file"), do), t)


def _refuse(problem: Problem, t: Translate) -> Any:
    terminal.err.print(problem.text(t), markup=False)
    raise typer.Exit(WRONG_INPUT)


def main() -> None:
    """Entry point: nothing that a user can cause ends in a traceback."""
    gc.set_threshold(200_000, 20, 20)  # a command makes millions of objects and keeps them: a tenth of its time
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a pipe may have a code page that knows no Chinese
    try:
        app()
    except (MemoryError, ArithmeticError) as bad:
        told = said(
            "planner: a figure is too large to compute with ({why}); look for one with too many zeros.", why=bad
        )
        terminal.err.print(told, markup=False)
        sys.exit(WRONG_INPUT)
    except OSError as bad:
        terminal.err.print(f"planner: {bad.__class__.__name__}: {bad}", markup=False)
        sys.exit(WRONG_INPUT)


if __name__ == "__main__":
    main()
