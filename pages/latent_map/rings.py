"""Rings around points of the map, drawn in the browser over its chart, which stays as it was zoomed and moved."""

from collections.abc import Sequence
from typing import Literal

import streamlit as st

Mark = Literal["point", "neighbour", "picked"]
_STYLES: dict[Mark, tuple[float, float, str]] = {  # radius and width of the line in pixels, colour
    "neighbour": (7, 1.8, "#0072B2"),
    "picked": (9, 3, "#0072B2"),
    "point": (11, 3, "#D55E00"),
}
# Another figure would be another chart for Streamlit, without the selection and the zoom. Plotly's axes say where
# points are, also while they move from one model's map to another's.
_JS = """
const SVG = "http://www.w3.org/2000/svg";

export default function ({ data, parentElement }) {
  const run = {};
  parentElement.ringsRun = run;  // the previous run's loop ends
  const layer = document.createElementNS(SVG, "svg");
  layer.setAttribute("class", "map-rings");
  layer.setAttribute("aria-hidden", "true");
  layer.style.cssText = "position:absolute;inset:0;width:100%;height:100%;pointer-events:none;z-index:5";
  let found, of, drawn = "";

  const find = (plot) => {  // [trace, number of its point, mark]
    const wanted = new Map(data.marks);
    const places = [];
    plot._fullData.forEach((trace, place) => (trace.customdata || []).forEach((ids, number) => {
      if (wanted.has(ids[0])) places.push([place, number, wanted.get(ids[0])]);
    }));
    return places.sort((one, other) => data.order.indexOf(one[2]) - data.order.indexOf(other[2]));
  };

  const draw = () => {
    if (parentElement.ringsRun !== run || !parentElement.isConnected) return layer.remove();
    requestAnimationFrame(draw);
    const plot = document.querySelector(`.st-key-${data.chart} .js-plotly-plot`);
    const box = plot?.querySelector(".svg-container");
    const { xaxis: x, yaxis: y } = plot?._fullLayout ?? {};
    if (!box || !x?.l2p || !y?.l2p || !plot._fullData) return;
    if (of !== plot || !found?.length) { found = find(plot); of = plot; }
    if (layer.parentElement !== box) box.append(layer);
    const circles = found.map(([trace, number, mark]) => {
      const { x: xs, y: ys } = plot._fullData[trace] ?? {};
      return [x.l2p(xs?.[number]), y.l2p(ys?.[number]), mark];
    }).filter(([left, top]) => left >= 0 && top >= 0 && left <= x._length && top <= y._length);
    const now = JSON.stringify([x._offset, y._offset, circles]);
    if (now === drawn) return;
    drawn = now;
    layer.replaceChildren(...circles.map(([left, top, mark]) => {
      const circle = document.createElementNS(SVG, "circle"), [radius, width, colour] = data.styles[mark];
      const look = { cx: x._offset + left, cy: y._offset + top, r: radius, "stroke-width": width, stroke: colour };
      for (const [name, value] of Object.entries(look)) circle.setAttribute(name, value);
      circle.setAttribute("fill", "none");
      circle.setAttribute("class", mark);
      return circle;
    }));
  };

  draw();
  return () => { if (parentElement.ringsRun === run) parentElement.ringsRun = null; layer.remove(); };
}
"""
_rings = st.components.v2.component("jobmatch_map_rings", js=_JS)


def show(chart: str, point: str, neighbours: Sequence[str], picked: Sequence[str] = ()) -> None:
    """Draw a ring around a point and each of its neighbours, by their ids, and a thicker one around picked ones.

    Args:
        chart: Key of the chart's container.
        point: Id of the point.
        neighbours: Ids of its neighbours.
        picked: Ids of the picked neighbours.
    """
    marks: dict[str, Mark] = dict.fromkeys(neighbours, "neighbour")
    marks |= dict.fromkeys(picked, "picked")
    marks[point] = "point"
    data = {"chart": chart, "marks": list(marks.items()), "styles": _STYLES, "order": list(_STYLES)}
    _rings(data=data, key="map_rings")
