"""The page's style: colours and chips from look.toml, one column on a phone, plain paper in print."""

from __future__ import annotations

from planner.workbook.look import color, data

FACES = {"en": 'Arial, "Liberation Sans", Helvetica, sans-serif',
         "zh": 'Arial, "Microsoft YaHei", "PingFang SC", "Noto Sans CJK SC", sans-serif'}  # fmt: skip

STYLE = """
:root { color-scheme: light; }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; background: $white; color: $ink; font: 15px/1.5 $face; }
main { max-width: 1120px; margin: 0 auto; padding: 28px 24px 48px; }
h1 { font-size: 25px; line-height: 1.25; margin: 0 0 6px; overflow-wrap: anywhere; }
h2 { font-size: 17px; color: $primary; margin: 34px 0 12px; padding-bottom: 4px; border-bottom: 2px solid $primary; }
h3 { font-size: 15px; color: $primary; margin: 24px 0 6px; }
p { margin: 6px 0; }
header { border-bottom: 2px solid $primary; padding-bottom: 10px; }
header p, small, .note { color: $muted; font-size: 13px; }
.f { white-space: nowrap; font-variant-numeric: tabular-nums; }
.w { overflow-wrap: anywhere; }
.chip { display: inline-block; padding: 1px 9px; font-size: 13px; font-weight: 700; white-space: nowrap; }
$chips
.flag { background: $flag; color: $flag_text; font-weight: 700; padding: 8px 14px; }
.lead { background: $wash; border-left: 4px solid $primary; padding: 14px 18px; font-size: 16px; }
.lead b { display: block; margin-bottom: 6px; }
.lead .chip { line-height: 1.5; }
table { width: 100%; border-collapse: collapse; font-size: 13px; line-height: 1.4; }
th { background: $wash; border-bottom: 1px solid $rule; text-align: left; vertical-align: bottom; padding: 6px 10px; }
td { border-bottom: 1px solid $hair; vertical-align: top; padding: 6px 10px; overflow-wrap: anywhere; }
th, td { min-width: 4.8em; }
td.n, th.n { text-align: right; overflow-wrap: normal; }
tr.total td { font-weight: 700; border-top: 1px solid $rule; border-bottom: 1px solid $rule; }
.t-metrics td:nth-child(2) { background: $output_fill; }
.t-metrics td:nth-child(2) .f { font-weight: 700; }
.t-metrics td:last-child { width: 110px; }
ol { margin: 0; padding-left: 26px; }
li { margin: 0 0 12px; padding-left: 4px; }
li::marker { color: $primary; font-weight: 700; }
.ask li { background: $wash; padding: 10px 14px; user-select: all; -webkit-user-select: all; }
.groups { display: grid; grid-template-columns: repeat(auto-fit, minmax(300px, 1fr)); gap: 4px 32px; font-size: 14px; }
.groups h3 { margin: 8px 0 6px; padding-bottom: 4px; border-bottom: 1px solid $rule; }
.groups ul { list-style: none; margin: 0; padding: 0; }
.groups li { padding: 0 0 8px; margin: 0 0 8px; border-bottom: 1px solid $hair; }
.groups li:last-child { border-bottom: 0; }
.groups i { color: $primary; font-style: normal; font-weight: 700; display: block; font-size: 13px; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(300px, 1fr)); gap: 20px 28px; }
.charts { margin: 22px 0 8px; }
figure { margin: 0; min-width: 0; display: flex; flex-direction: column; }
figcaption b { display: block; font-size: 14px; line-height: 1.35; }
figcaption small { display: block; margin-top: 2px; }
figure ul { list-style: none; display: flex; flex-wrap: wrap; gap: 2px 14px; margin: 8px 0 2px; padding: 0; }
figure ul { font-size: 12px; color: $muted; }
figure li { margin: 0; padding: 0; display: flex; align-items: center; gap: 6px; }
figure i { display: inline-block; width: 12px; height: 11px; }
figure i.line { height: 2px; width: 18px; }
svg { width: 100%; height: auto; display: block; margin-top: auto; font-family: $face; }
@media (max-width: 680px) {
  main { padding: 18px 16px 36px; }
  body { font-size: 16px; }
  h1 { font-size: 22px; }
  .groups, .charts { grid-template-columns: 1fr; }
  table, tbody, tr, td { display: block; width: auto; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  table { font-size: 14px; border-top: 1px solid $rule; }
  tr { border-bottom: 1px solid $rule; padding: 8px 0; }
  tr.total td { border: 0; }
  td, td.n { border: 0; padding: 2px 0; text-align: left; }
  td, td.n { display: grid; grid-template-columns: 36% minmax(0, 1fr); gap: 12px; }
  td::before { content: attr(data-head); color: $muted; font-weight: 400; font-size: 13px; }
  td:first-child { display: block; font-weight: 700; padding-bottom: 4px; }
  td:first-child::before, td[data-empty] { display: none; }
  .t-metrics td { display: block; }
  .t-metrics td:nth-child(2) { padding: 4px 8px; margin: 2px 0 4px; }
  .t-metrics td:last-child { width: auto; }
  .t-metrics td:nth-child(2)::before, .t-metrics td:last-child::before { display: none; }
}
@media print {
  @page { size: A4; margin: 13mm 12mm; }
  body { font-size: 10pt; line-height: 1.4; }
  main { max-width: none; padding: 0; }
  h1 { font-size: 16pt; }
  h2 { font-size: 12pt; margin-top: 18pt; }
  h3 { font-size: 10pt; margin-top: 12pt; }
  table { font-size: 8.5pt; }
  th, td { padding: 3px 6px; }
  .lead { font-size: 11pt; }
  .charts { grid-template-columns: 1fr 1fr; }
  .groups { grid-template-columns: 1fr; font-size: 10pt; }
  h2, h3, thead, figcaption { break-after: avoid; }
  tr, li, figure, article, .lead { break-inside: avoid; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
"""


def style(language: str) -> str:
    """The style sheet with the look's colours."""
    look = data()
    chips = "\n".join(f".s{i} {{ background: {s['fill']}; color: {s['text']}; }}" for i, s in enumerate(look["status"]))
    names = ("white", "ink", "muted", "primary", "rule", "hair", "wash", "output_fill")
    words = {name: color(name) for name in names}
    words |= {"face": FACES.get(language, FACES["en"]), "chips": chips}
    words |= {"flag_text": look["illustrative"]["text"], "flag": look["illustrative"]["fill"]}
    text = STYLE.lstrip()
    for name in sorted(words, key=len, reverse=True):
        text = text.replace("$" + name, words[name])
    return text
