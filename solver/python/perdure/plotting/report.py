"""A page of results and tables of sweeps: one HTML file that needs nothing else."""
import os
import re

from . import html_parts as html
from .draw_orders import draw_orders, errors_of
from .draw_sweep import draw_sweep
from .errors import PlotError
from .options import read_text
from .report_result import CURVES, result_section
from .results import Result
from .tables import Table, is_table

MOST_MEMBERS = 12  # results of a table that have a section each
COLUMNS = ("iterations", "total_seconds")  # of a table, behind what the sweep sets and the outcome


def write_report(output, paths, *, title=None):
    """Writes the page and returns its name. `paths`: results and tables; of a table also its first results."""
    if os.path.splitext(output)[1].lower() not in (".html", ".htm"):
        raise PlotError(f"--report {output}: the page is HTML; end its name with .html")
    report = Report()
    shown = {os.path.realpath(path) for path in paths}
    for path in paths:
        if is_table(path):
            report.add_table(Table(path), shown)
        else:
            report.add_result(path)
    sections, links = report.sections, report.links
    title = title or links[0][1] + (f" and {len(links) - 1} more" if len(links) > 1 else "")
    contents = "".join(f'<li><a href="#{place}">{html.escape(name)}</a></li>' for place, name in links)
    body = f"<header><h1>{html.escape(title)}</h1></header>\n"
    if len(links) > 1:
        body += f'<nav aria-label="Contents"><ul>{contents}</ul></nav>\n'
    body += "<main>\n" + "\n".join(sections) + "\n</main>"
    with open(output, "w", encoding="utf-8") as file:
        file.write(html.page(title, read_text("report.css"), body))
    return output


class Report:
    """Sections, and where each is to be found: pairs of an anchor and a name."""

    def __init__(self):
        self.sections, self.links = [], []

    def place(self, name):
        """The anchor of the next section."""
        return re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-").lower() + f"-{len(self.links) + 1}"

    def add_result(self, path, setting="", shows_case=True):
        with Result(path) as result:
            about = ": ".join(filter(None, [result.name if result.title != result.name else "", setting]))
            name = result.title + (f" ({about})" if about else "")
            place = self.place(result.name)
            self.links.append((place, name))
            self.sections.append(result_section(result, name, place, shows_case))
        return place

    def add_table(self, table, shown):
        """The table, and the first of its results that are not shown anyway."""
        name = f"Sweep {table.name}" if table.swept else f"Batch {table.name}"
        place = self.place(name)
        self.links.append((place, name))
        own = len(self.sections)
        self.sections.append("")
        members = {}
        for row in range(table.rows):
            path = table.result_path(row)
            if path is not None and os.path.realpath(path) not in shown and len(members) < MOST_MEMBERS:
                members[row] = self.add_result(path, table.setting(row), shows_case=False)
        self.sections[own] = table_section(table, name, place, members)


def table_section(table, name, place, members):
    """`members`: the anchors of rows whose results have a section."""
    parts = [f'<section aria-labelledby="{place}"><h2 id="{place}">{html.escape(name)}</h2>', f"<p>{html.escape(count_text(table))}</p>"]
    if table.swept:
        for outcome in table.default_outcome():
            def draw(outcome=outcome):
                return draw_sweep(table, [outcome], title="", size=CURVES)

            parts.append(html.picture(draw, sweep_words(table, outcome), f"{outcome} of each member of the sweep"))
        paths = [path for path in map(table.result_path, range(table.rows)) if path is not None]
        parts.append(picture_of_orders(paths))
    heads = [head for head in ["member", *table.swept, "outcome", *COLUMNS, *table.effective(".coefficient", ".tortuosity")] if head in table.columns]
    numeric = [not isinstance(table.columns[head], list) for head in heads]
    rows = [[cell(table, head, row, members) for head in heads] for row in range(table.rows)]
    parts.append(html.table(f"Cases of {table.name}", heads, rows, numeric))
    return "\n".join(parts) + "\n</section>"


def picture_of_orders(paths):
    """Empty where no results on two grids or more have errors."""
    caption = "Errors against exact solutions"
    try:
        figure = draw_orders(paths, title="", size=CURVES) if errors_of(paths)[0] else None
    except PlotError as error:
        return f'<p class="outcome bad">{caption}: not drawn. {html.escape(error)}</p>'
    if figure is None:
        return ""
    lines = [line.get_label() for line in figure.axes[0].lines]
    return html.picture(lambda: figure, "Errors over the spacing of the grid: " + "; ".join(lines), caption)


def cell(table, head, row, members):
    value = table.columns[head][row]
    words = html.escape(value) if isinstance(value, str) else html.number(value)
    return f'<a href="#{members[row]}">{words}</a>' if head == "member" and row in members else words


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
