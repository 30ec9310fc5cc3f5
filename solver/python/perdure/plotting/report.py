"""A page of results and tables of sweeps: one HTML file that needs nothing else."""
import os
import re

from . import html
from .draw_sweep import draw_sweep
from .errors import PlotError
from .options import read_text
from .report_result import result_section
from .results import Result
from .tables import Table, is_table

MOST_MEMBERS = 12  # results of a table that have a section each
COLUMNS = ("iterations", "total_seconds")  # of a table, behind what the sweep sets and the outcome


def write_report(output, paths, *, title=None):
    """Writes the page and returns its name. `paths`: results and tables; of a table also its first results."""
    if os.path.splitext(output)[1].lower() not in (".html", ".htm"):
        raise PlotError(f"--report {output}: the page is HTML; end its name with .html")
    sections, links = [], []
    shown = {os.path.realpath(path) for path in paths}
    for path in paths:
        if is_table(path):
            table = Table(path)
            members = [member for member in map(table.result_path, range(table.rows)) if member is not None]
            more = [member for member in members if os.path.realpath(member) not in shown][:MOST_MEMBERS]
            add(sections, links, f"Sweep {table.name}" if table.swept else f"Batch {table.name}", lambda name, at: table_section(table, name, at))
            for member in more:
                add_result(sections, links, member)
        else:
            add_result(sections, links, path)
    title = title or (links[0][1] if len(links) == 1 else f"Report of {links[0][1]}")
    contents = "".join(f'<li><a href="#{place}">{html.escape(name)}</a></li>' for place, name in links)
    body = f"<header><h1>{html.escape(title)}</h1></header>\n"
    if len(links) > 1:
        body += f'<nav aria-label="Contents"><ul>{contents}</ul></nav>\n'
    body += "<main>\n" + "\n".join(sections) + "\n</main>"
    with open(output, "w", encoding="utf-8") as file:
        file.write(html.page(title, read_text("report.css"), body))
    return output


def add(sections, links, name, make):
    place = re.sub(r"[^A-Za-z0-9]+", "-", name) + f"-{len(links) + 1}"
    sections.append(make(name, place))
    links.append((place, name))


def add_result(sections, links, path):
    with Result(path) as result:
        name = result.title if result.title == result.name else f"{result.title} ({result.name})"
        add(sections, links, name, lambda name, place: result_section(result, name, place))


def table_section(table, name, place):
    parts = [f'<section aria-labelledby="{place}"><h2 id="{place}">{html.escape(name)}</h2>', f"<p>{html.escape(count_text(table))}</p>"]
    if table.swept:
        for outcome in table.default_outcome()[:3]:
            figure = draw_sweep(table, [outcome], title="")
            parts.append(html.picture(figure, sweep_words(table, outcome), f"{outcome} of each member of the sweep"))
    heads = [head for head in ["member", *table.swept, "outcome", *COLUMNS, *effective_columns(table)] if head in table.columns]
    numeric = [not isinstance(table.columns[head], list) for head in heads]
    rows = [[html.escape(table.columns[head][row]) if isinstance(table.columns[head], list) else html.number(table.columns[head][row])
             for head in heads] for row in range(table.rows)]
    parts.append(html.table(f"Cases of {table.name}", heads, rows, numeric))
    return "\n".join(parts) + "\n</section>"


def effective_columns(table):
    return [name for name in table.columns if name.startswith(("effective", "tortuosity")) and not isinstance(table.columns[name], list)]


def count_text(table):
    """`4 cases: 3 converged (rtol), 1 iteration limit.`"""
    counts = {}
    for outcome in table.columns["outcome"]:
        counts[str(outcome)] = counts.get(str(outcome), 0) + 1
    words = ", ".join(f"{count} {outcome}" for outcome, count in counts.items())
    return f"{table.rows} {'case' if table.rows == 1 else 'cases'}: {words}."


def sweep_words(table, outcome):
    values = table.outcome(outcome)
    finite = values[values == values]
    reach = f", from {html.number(finite.min())} to {html.number(finite.max())}" if finite.size else ""
    return f"Curve of {outcome} against {', '.join(table.swept)}{reach}; the table below has the numbers"
