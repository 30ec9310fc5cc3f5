"""Parts of a page: text, tables, pictures inside the file."""
import base64
import html

from . import figures
from .errors import PlotError


def escape(words):
    return html.escape(str(words))


def number(value, digits=6):
    """Whole numbers as they are, others with some digits; an empty text where there is none."""
    if value is None or value != value:
        return ""
    return str(int(value)) if float(value).is_integer() and abs(value) < 1e15 else f"{value:.{digits}g}"


def facts(pairs):
    """A table of names and values; those without a value are left out."""
    rows = "".join(f'<tr><th scope="row">{escape(name)}</th><td>{escape(value)}</td></tr>' for name, value in pairs
                   if value not in (None, ""))
    return f'<table class="facts"><tbody>{rows}</tbody></table>'


def table(caption, heads, rows, numeric):
    """A wide table that scrolls by itself. `rows`: cells as HTML; `numeric`: which columns stand to the right."""
    marks = [' class="number"' if is_number else "" for is_number in numeric]
    head = "".join(f'<th scope="col"{mark}>{escape(name)}</th>' for name, mark in zip(heads, marks))
    body = "".join("<tr>" + "".join(f"<td{mark}>{cell}</td>" for cell, mark in zip(row, marks)) + "</tr>" for row in rows)
    return (f'<div class="wide" role="region" tabindex="0" aria-label="{escape(caption)}"><table><caption>{escape(caption)}</caption>'
            f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>")


def bars(caption, named):
    """Names, seconds and their shares, with a bar that needs no picture."""
    whole = sum(seconds for _, seconds in named) or 1.0
    rows = "".join(f'<tr><th scope="row">{escape(name)}</th><td class="number">{seconds:.3g} s</td>'
                   f'<td class="number">{100.0 * seconds / whole:.1f} %</td>'
                   f'<td class="bar" aria-hidden="true"><span style="width:{100.0 * seconds / whole:.1f}%"></span></td></tr>'
                   for name, seconds in named)
    return (f'<table class="times" style="width:100%"><caption>{escape(caption)}</caption><thead><tr><th scope="col">part</th>'
            '<th scope="col" class="number">seconds</th><th scope="col" class="number">share</th><td></td></tr></thead>'
            f"<tbody>{rows}</tbody></table>")


def picture(draw, alternative, caption, kind="svg", many=False):
    """What draw() makes, curves as SVG, cells as PNG; in words why there is none. One of `many` parts scrolls where the page is too narrow for it."""
    try:
        data = base64.b64encode(figures.to_bytes(draw(), kind, dpi=130)).decode()
    except PlotError as error:
        return f'<p class="outcome bad">{escape(caption)}: not drawn. {escape(error)}</p><p>{escape(alternative)}.</p>'
    media = "image/svg+xml" if kind == "svg" else "image/png"
    wide = f' class="many" role="group" tabindex="0" aria-label="{escape(caption)}"' if many else ""
    return (f'<figure><div{wide}><img src="data:{media};base64,{data}" alt="{escape(alternative)}"></div>'
            f"<figcaption>{escape(caption)}</figcaption></figure>")


def details(summary, inside, is_open=False):
    return f"<details{' open' if is_open else ''}><summary>{escape(summary)}</summary>{inside}</details>"


def page(title, style, body):
    return ('<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f"<title>{escape(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n")
