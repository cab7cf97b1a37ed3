"""What is said about an input, in its language: the same cell spoiled in a Chinese and in an English workbook."""

from __future__ import annotations

import datetime as dt
import importlib.util
import json
import re
import zipfile
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError
from workbooks import Edited, Formula, Shown, planner, planner_process

from planner.inputs.field import Row
from planner.inputs.reader import refusals
from planner.labels import translator, words
from planner.problem import InputProblems, Problem, Said, said, spoken
from planner.verify.package import read
from planner.verify.words import language_of

ROOT = Path(__file__).resolve().parent.parent
CHINESE = re.compile(r"[\u4e00-\u9fff]")
HOLE = re.compile(r"\{(\w+)[^{}]*\}")
TOKENS = "a number of tokens, such as 1.8B, 1,800,000,000 or 18亿", "token 数量，例如 1.8B、1,800,000,000 或 18亿"
MONTH = "a month, such as 2027-01, Jan 2027 or 2027年1月", "月份，例如 2027-01、Jan 2027 或 2027年1月"

Line = tuple[str, str, str]  # found, wanted, do
CASES: list[tuple[str, Any, Line, Line]] = [
    ("Plan!C15", "1.8",
     ("'1.8'", TOKENS[0], "say the size, as in 1.8B or 1.8M, or type all the digits"),
     ("'1.8'", TOKENS[1], "注明数量级，例如 1.8B 或 1.8M，或写出全部数字")),
    ("Plan!C15", "1,800",
     ("'1,800'", f"{TOKENS[0]}, in a form with one meaning", "type 1800 for thousands, or 1.8000B for a fraction"),
     ("'1,800'", f"{TOKENS[1]}，且写法没有歧义", "按本意填写：千位分隔写作 1800，小数写作 1.8000B")),
    ("Plan!C15", "1.8 zillion",
     ("'1.8 zillion'", TOKENS[0], "write the size as K, M, B, T, 万 or 亿: zillion is not known"),
     ("'1.8 zillion'", TOKENS[1], "用 K、M、B、T、万或亿表示数量级：无法识别 zillion")),
    ("Plan!C15", True,
     ("True", TOKENS[0], "type a value in place of TRUE or FALSE"),
     ("True", TOKENS[1], "用具体的值替换 TRUE 或 FALSE")),
    ("Plan!C15", Formula("=1+1"),
     ("the formula =1+1 without a stored value", "a value",
      "open the workbook in Excel or LibreOffice, let it calculate, save it, or type the value"),
     ("没有存储结果的公式 =1+1", "一个值", "在 Excel 或 LibreOffice 中打开工作簿，计算后保存，或直接填写数值")),
    ("Plan!C15", "#REF!",
     ("the error #REF!", "a value", "correct the formula or type the value"),
     ("错误值 #REF!", "一个值", "更正公式，或直接填写数值")),
    ("Plan!C10", "03/04/2027",
     ("'03/04/2027'", MONTH[0], "type 2027-04-03 or 2027-03-04: the day and the month look alike"),
     ("'03/04/2027'", MONTH[1], "填写 2027-04-03 或 2027-03-04：日与月无法区分")),
    ("Plan!C21", 0.5,
     ("0.5", "a number from 1 to 1,000", "type a number inside these bounds"),
     ("0.5", "1 至 1,000 之间的数字", "填写此范围内的数字")),
    ("Plan!C11", 12.5,
     ("12.5", "a whole number from 1 to 60", "type a whole number, without decimals"),
     ("12.5", "1 至 60 之间的整数", "填写整数，不带小数")),
    ("Plan!C30", "batchy",
     ("'batchy'", "one of real_time, batch, mixed", "choose batch, if that was meant, or another of these"),
     ("'batchy'", "real_time, batch, mixed 之一", "选择 batch（如果本意如此），或选择其中另一项")),
    ("Models!E6", 1.5,
     ("1.5 in a cell shown as per cent (150 %)", "a share from 0% to 100%", "type a share inside these bounds"),
     ("1.5，其单元格为百分比格式（显示为 150 %）", "0% 至 100% 之间的占比", "填写此范围内的占比")),
    ("Models!E6", Shown(81.67, "0.0%"),
     ("81.67 in a cell shown as per cent (8167 %)", "a share",
      "type 81.67%, if that is meant: the cell shows 8167%"),
     ("81.67，其单元格为百分比格式（显示为 8167 %）", "占比", "填写 81.67%（如果本意如此）：单元格显示为 8167%")),
    ("Models!H4", "Tokns/s per GPU",
     ("an unknown header 'Tokns/s per GPU'", "a known header",
      "rename it to 'Tokens/s per GPU', or move it away from the table"),
     ("未知的列标题 'Tokns/s per GPU'", "已知的列标题", "改名为“token/秒/GPU”，或将其移出表格")),
    ("Tenants!C7", None,
     ("nothing, while the row has 'Owner'", "a name under 'Tenant'", "name the row, or empty it"),
     ("空单元格，而该行已填“负责人”", "“租户”列中的名称", "为该行填写名称，或清空该行")),
    ("Curves!C7", "linear",
     ("'linear' a second time (first in row 6)", "a name of its own, whatever its case", "rename one of the two"),
     ("重复的 'linear'（首次出现在第 6 行）", "不重复的名称（不区分大小写）", "为两者之一改名")),
    ("Plan!C40", 0.05,  # the usable share of memory: refused by the model of the Plan list
     ("0.05", "a number of 0.1 or more", "correct it"),
     ("0.05", "不小于 0.1 的数字", "更正该值")),
]  # fmt: skip
COUNTED = {"en": "1 problem(s); nothing was written.", "zh": "1 个问题；未写入任何内容。"}


@cache
def start(lang: str, folder: Path) -> Path:
    """The sample in a language, written once."""
    path = folder / f"{lang}.xlsx"
    assert planner("init", path, "--sample", "on-prem", "--lang", lang).code == 0
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("messages")


def in_language(place: str, lang: str) -> str:
    tab, _, cell = place.partition("!")
    return f"{translator(lang)(tab)}!{cell}"


def line(place: str, parts: Line, lang: str) -> str:
    found, wanted, do = parts
    if lang == "en":
        return f"{place}: found {found}; wanted {wanted}; do {do}"
    return f"{in_language(place, lang)}：发现 {found}；应为 {wanted}；请{do}"


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize(("place", "value", "english", "chinese"), CASES, ids=[f"{c[0]}={c[1]}" for c in CASES])
def test_a_spoiled_cell_is_told_in_the_language_of_its_workbook(
    place: str, value: object, english: Line, chinese: Line, lang: str, folder: Path, tmp_path: Path
) -> None:
    source = Edited(start(lang, folder)).set(in_language(place, lang), value).save(tmp_path / "input.xlsx")
    parts = english if lang == "en" else chinese
    checked = planner("check", source)
    assert (checked.code, checked.out) == (2, "")
    assert checked.err.splitlines() == [line(place, parts, lang), COUNTED[lang]]
    built = planner("build", source, "-o", tmp_path / "plan.xlsx")
    assert (built.code, built.out, built.err) == (2, "", checked.err)
    found = json.loads(planner("check", source, "--json").out)["problems"]
    assert found == [dict(zip(("place", "found", "wanted", "do"), (in_language(place, lang), *parts), strict=True))]


SHARES: dict[str, tuple[Callable[[Edited, str], Edited], Line, Line, str]] = {
    "too much": (
        lambda e, tab: e.set(f"{tab}!F6", 0.9),
        ("quota shares that sum to {sum}", "100 %", "correct the shares; {gap} of the tokens are promised twice"),
        ("配额占比合计为 {sum}", "100 %", "更正占比；有 {gap} 的 token 被重复承诺"),
        "Tenants",
    ),
    "too little": (
        lambda e, tab: e.set(f"{tab}!E6", 0.5),
        ("token shares that sum to 50 %", "100 %", "correct the shares; 50 % of the tokens belong to nobody"),
        ("Token 占比合计为 50 %", "100 %", "更正占比；有 50 % 的 token 没有归属"),
        "Models",
    ),
}


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("what", SHARES)
def test_shares_that_do_not_add_up(what: str, lang: str, folder: Path, tmp_path: Path) -> None:
    change, english, chinese, tab = SHARES[what]
    source = change(Edited(start(lang, folder)), translator(lang)(tab)).save(tmp_path / "input.xlsx")
    problem = json.loads(planner("check", source, "--json").out)["problems"][0]
    for key, template in zip(("found", "wanted", "do"), english if lang == "en" else chinese, strict=True):
        assert re.fullmatch(re.sub(r"\\\{\w+\\\}", r"[\\d.]+ %", re.escape(template)), problem[key])
    assert translator(lang)(tab) in problem["place"]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_choice_that_no_row_answers(lang: str, folder: Path, tmp_path: Path) -> None:
    edited = Edited(start(lang, folder)).plan(sla_tier="platinum")
    (problem,) = json.loads(planner("check", edited.save(tmp_path / "i.xlsx"), "--json").out)["problems"]
    tiers = "business_critical, standard, best_effort"
    if lang == "en":
        assert (problem["wanted"], problem["do"]) == (f"one of {tiers}", "choose one, or add a row on SLA tiers")
    else:
        assert (problem["wanted"], problem["do"]) == (f"{tiers} 之一", "从中选择一项，或在“SLA 等级”页新增一行")


# ---- what else commands say


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_what_is_done_is_told_in_the_language(lang: str, tmp_path: Path) -> None:
    source, plan = tmp_path / "input.xlsx", tmp_path / "plan.xlsx"
    written = planner("init", source, "--sample", "on-prem", "--lang", lang)
    blank = planner("init", tmp_path / "blank.xlsx", "--lang", lang)
    checked, built, verified = planner("check", source), planner("build", source, "-o", plan), planner("verify", plan)
    outcomes = [written, blank, checked, built, verified]
    assert [o.code for o in outcomes] == [0] * 5 and not any(o.err for o in outcomes)
    for outcome in outcomes:
        for said_line in outcome.out.splitlines():
            assert bool(CHINESE.search(said_line)) is (lang == "zh"), said_line
    if lang == "zh":
        assert written.out.startswith(f"已写入 {source}：样例 on-prem。\n下一步：")
        assert checked.out == f"{source} 填写完整：1 个模型，3 个租户。\n首年 Token 总量：1,800,000,000 = 18 亿。\n"
        assert verified.out.endswith("验证通过。\n") and ". " not in built.out
    else:
        total = "Total tokens in the first year: 1,800,000,000 = 1.8 billion."
        assert checked.out == f"{source} is complete: 1 model(s), 3 tenant(s).\n{total}\n"
        assert verified.out.endswith("Verified.\n")


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_questions_and_their_places_are_in_the_language(lang: str, folder: Path, tmp_path: Path) -> None:
    edited = Edited(start(lang, folder)).plan(total_tokens=None)
    for tab in ("Models", "Pools"):
        for column in [*"CDEFGHIJKLMNOPQRSTUVWXYZ", "AA", "AB"]:
            edited.set(in_language(f"{tab}!{column}6", lang), None)
    source = edited.save(tmp_path / "input.xlsx")
    checked = planner("check", source)
    assert checked.code == 3 and len(checked.problems) == 3
    ends = ["计划!C15", "模型（首行）", "资源池（首行）"]
    if lang == "en":
        ends = ["Plan!C15", "Models (first row)", "Pools (first row)"]
    for question, end in zip(checked.problems, ends, strict=True):
        assert question.endswith(f"  -> {end}")
        assert bool(CHINESE.search(question)) is (lang == "zh")
    found = json.loads(planner("check", source, "--json").out)["questions"]
    assert [q["place"] for q in found] == ends
    assert [set(q) for q in found] == [{"key", "text", "place", "options"}] * 3


REFUSED: dict[str, tuple[tuple[object, ...], str]] = {
    "a sample": (
        ("init", "x.xlsx", "--sample", "x"),
        "--sample：发现 'x'；应为 api, on-prem, hybrid, ledger 之一；请从中选择一项",
    ),
    "an ending": (("init", "x.csv"), "x.csv：发现 扩展名 .csv；应为 .xlsx；请使用以 .xlsx 结尾的文件名"),
    "no ending": (("init", "x"), "x：发现 没有扩展名的文件名；应为 .xlsx；请使用以 .xlsx 结尾的文件名"),
    "a folder": (("init", "no/x.xlsx"), "no/x.xlsx：发现 文件夹不存在；应为 已存在的文件夹；请先创建 no"),
    "a file": (("init", "there.xlsx"), "there.xlsx：发现 文件已存在；应为 新文件；请另取文件名，或加上 --force"),
    "the input": (
        ("build", "there.xlsx", "-o", "there.xlsx"),
        "-o：发现 there.xlsx；应为 输入文件以外的文件；请指定另一个文件名：输入文件绝不会被改动",
    ),
    "a date": (
        ("build", "there.xlsx", "-o", "p.xlsx", "--as-of", "2026-11"),
        "--as-of：发现 '2026-11'；应为 日期，例如 2026-11-30 或 30 Nov 2026；请同时填写具体日期",
    ),
    "no input": (
        ("build", "missing.xlsx", "-o", "p.xlsx"),
        "missing.xlsx：发现 文件 missing.xlsx 不存在；应为 输入工作簿；请检查文件名和文件夹",
    ),
    "an empty file": (
        ("build", "there.xlsx", "-o", "p.xlsx"),
        "there.xlsx：发现 there.xlsx 是空文件；应为 输入工作簿；请重新保存工作簿，或重新复制该文件",
    ),
    "a PDF": (
        ("build", "report.xlsx", "-o", "p.xlsx"),
        "report.xlsx：发现 report.xlsx 是一个 PDF 文件，不是 Excel 工作簿；应为 输入工作簿；"
        "请用创建该文件的程序打开，并另存为“Excel 工作簿 (*.xlsx)”",
    ),
    "a workbook of another kind": (
        ("build", "other.xlsx", "-o", "p.xlsx"),
        "other.xlsx：发现 没有名为“计划”（Plan）的标签页；应为 输入工作簿；"
        "请用 `planner init input.xlsx` 新建输入工作簿",
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_arguments_and_files_are_refused_in_the_language_that_was_asked_for(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import openpyxl

    monkeypatch.chdir(tmp_path)
    Path("there.xlsx").touch()
    Path("report.xlsx").write_bytes(b"%PDF-1.7")
    openpyxl.Workbook().save("other.xlsx")
    args, chinese = REFUSED[what]
    outcome = planner(*args, "--lang", "zh")
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.splitlines()[0] == chinese
    english = planner(*args).err.splitlines()[0]
    assert not CHINESE.search(english) and re.fullmatch(".+: found .+; wanted .+; do .+", english)


def test_an_unknown_language_is_refused_in_english(tmp_path: Path) -> None:
    outcome = planner("init", tmp_path / "x.xlsx", "--lang", "fr")
    assert outcome.err == "--lang: found 'fr'; wanted one of en, zh; do choose one of them\n"


def test_what_is_ignored_is_told_in_the_language(folder: Path, tmp_path: Path) -> None:
    source = tmp_path / "input.xlsx"
    source.write_bytes(start("zh", folder).read_bytes())
    with zipfile.ZipFile(source, "a") as archive:
        archive.writestr("xl/vbaProject.bin", b"x")
    told = {
        "zh": "工作簿含有宏：宏不会运行，计划中也不会保留。\n",
        "en": "The workbook holds macros: they are not run, and the plan will not have them.\n",
    }
    for lang, warning in told.items():
        assert planner("build", source, "-o", tmp_path / "p.xlsx", "--lang", lang).err == warning


def test_a_pipe_that_knows_no_chinese_gets_escapes(folder: Path, tmp_path: Path) -> None:
    """Windows gives pipes the code page of the country."""
    source = start("zh", folder)
    checked = planner_process("check", source, PYTHONIOENCODING="cp1252")
    assert (checked.code, checked.err) == (0, "") and "\\u6a21\\u578b" in checked.out
    spoiled = Edited(source).plan(total_tokens="1.8").save(tmp_path / "input.xlsx")
    told = planner_process("check", spoiled, "--json", PYTHONIOENCODING="cp1252")
    assert told.code == 2 and json.loads(told.out) == json.loads(planner("check", spoiled, "--json").out)


def test_the_language_of_a_file(folder: Path, tmp_path: Path) -> None:
    assert [language_of(read(start(lang, folder))) for lang in ("en", "zh")] == ["en", "zh"]
    nameless = Edited(start("zh", folder))
    del nameless.book.defined_names["language"]
    assert language_of(read(nameless.save(tmp_path / "x.xlsx"))) == ""


# ---- what the models of the inputs refuse


class Anything(Row):
    """A row with a field of every type."""

    whole: int = 1
    number: float = 1.0
    day: dt.date = dt.date(2027, 1, 1)
    words: str = ""
    flag: bool = True
    needed: int


@pytest.mark.parametrize(
    ("values", "key", "found", "wanted"),
    [
        ({"whole": "x"}, "whole", "'x'", "a whole number"),
        ({"whole": 1.5}, "whole", "1.5", "a whole number"),
        ({"whole": None}, "whole", "None", "a whole number"),
        ({"number": "x"}, "number", "'x'", "a number"),
        ({"number": None}, "number", "None", "a number"),
        ({"day": "x"}, "day", "'x'", "a date, such as 2026-11-30 or 30 Nov 2026"),
        ({"day": None}, "day", "None", "a date, such as 2026-11-30 or 30 Nov 2026"),
        ({"words": 5}, "words", "5", "text"),
        ({"colour": "red"}, "colour", "'red'", "nothing: the plan knows no such field"),
        ({"flag": "x"}, "flag", "'x'", "a value that fits"),
        ({"needed": ...}, "needed", "nothing", "a value"),
    ],
)
def test_what_a_model_refuses_is_said_in_our_words(
    values: dict[str, object], key: str, found: str, wanted: str
) -> None:
    given = {k: v for k, v in ({"needed": 1} | values).items() if v is not ...}
    with pytest.raises(ValidationError) as bad:
        Anything(**given)  # type: ignore[arg-type]
    assert list(refusals(bad.value)) == [(key, found, wanted)]
    assert CHINESE.search(spoken(next(refusals(bad.value))[2], translator("zh")))


# ---- sentences that can be said in another language


def test_what_is_said_keeps_its_template_and_speaks_what_is_inside_it() -> None:
    inner = said("a number of {least} or more", least="1")
    outer = said("{wanted}, in a form with one meaning", wanted=inner)
    assert outer == "a number of 1 or more, in a form with one meaning" and isinstance(outer, Said)
    assert (outer.template, outer.values["wanted"]) == ("{wanted}, in a form with one meaning", inner)
    assert spoken(outer, translator("zh")) == "不小于 1 的数字，且写法没有歧义"
    assert spoken(outer, translator("en")) == spoken(outer, str) == str(outer)
    assert spoken("as {it} is", translator("zh")) == "as {it} is"
    assert said("no {hole} to fill") == "no {hole} to fill"
    odd = said("the error {error}", error="{error} %s")
    assert (str(odd), spoken(odd, translator("zh"))) == ("the error {error} %s", "错误值 {error} %s")


def test_a_problem_in_words() -> None:
    problem = Problem("Plan!C5", "'x'", said("a number"), said("shorten it"))
    assert str(problem) == problem.text(translator("en")) == "Plan!C5: found 'x'; wanted a number; do shorten it"
    assert problem.text(translator("zh")) == "Plan!C5：发现 'x'；应为 数字；请缩短文本"
    assert problem.parts(translator("zh")) == {"place": "Plan!C5", "found": "'x'", "wanted": "数字", "do": "缩短文本"}
    assert str(InputProblems([problem], "zh")) == str(problem)


# ---- every text has its row


@cache
def tool() -> Any:
    spec = importlib.util.spec_from_file_location("texts", ROOT / "tools" / "texts.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def texts() -> tuple[str, ...]:
    return tuple(tool().every_text())


def wrong_rows(known: Mapping[str, str]) -> list[str]:
    """Texts without a translation, and those whose translation fills other holes."""
    return [t for t in texts() if t not in known or sorted(HOLE.findall(t)) != sorted(HOLE.findall(known[t]))]


def test_every_text_has_a_chinese_row_with_the_same_holes() -> None:
    assert wrong_rows(words("zh")) == []
    assert {"{place}: found {found}; wanted {wanted}; do {do}", "{name} is empty.", "shorten it"} <= set(texts())


@pytest.mark.parametrize("row", [None, "", "{place}：{found}；{wanted}", "{place}：{found}；{wanted}；{does}"])
def test_a_spoiled_row_is_found(row: str | None) -> None:
    text = "{place}: found {found}; wanted {wanted}; do {do}"
    spoiled = {en: zh for en, zh in {**words("zh"), text: row}.items() if zh is not None}
    assert wrong_rows(spoiled) == [text]


def test_no_row_is_kept_for_words_that_nobody_says() -> None:
    assert tool().unsaid("zh") == []
