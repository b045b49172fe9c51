// The board as its sensors read it: a value for each place, and a sign where something is wrong.

import { say, set, svg } from "./dom.js";
import { Geometry } from "./geometry.js";

/** @import { BoardInfo, Report } from "./types.js" */
/** @import { Texts } from "./texts.js" */

const ARROWS = /** @type {Record<string, [number, number]>} */ ({ ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] });

export class SensorMap {
  /**
   * @param {HTMLElement} stage
   * @param {BoardInfo} info
   * @param {() => void} onChoose
   */
  constructor(stage, info, onChoose) {
    /** @type {string | null} */
    this.chosen = null;
    this._onChoose = onChoose;
    this._geometry = new Geometry({ ...info, simulated: false });
    /** @type {Map<string, SVGGElement>} */
    this._places = new Map();
    const { left, right, top, bottom, pitch } = this._geometry;
    const edge = 0.55 * pitch;
    const root = svg("svg", { viewBox: `${left - edge} ${-top - edge} ${right - left + 2 * edge} ${top - bottom + 2 * edge}` });
    for (const row of this._geometry.rows()) for (const cell of row) root.append(this._place(cell.name, cell.x_mm, cell.y_mm, pitch));
    root.addEventListener("keydown", (event) => this._key(event));
    stage.append(root);
    this._places.values().next().value?.setAttribute("tabindex", "0");
  }

  /**
   * @param {string} name
   * @param {number} x
   * @param {number} y
   * @param {number} pitch
   */
  _place(name, x, y, pitch) {
    const group = svg("g", { class: "sensor", "data-place": name, transform: `translate(${x} ${-y})` });
    const button = svg("g", { role: "button", tabindex: -1, "data-cell": name, "aria-pressed": "false" });
    button.append(
      svg("circle", { class: "ground", r: 0.46 * pitch }),
      svg("circle", { class: "sign", r: 0.41 * pitch }),
      svg("circle", { class: "focus", r: 0.485 * pitch }),
    );
    const label = svg("text", { "aria-hidden": "true", class: "name", y: -0.18 * pitch, "font-size": 0.2 * pitch });
    label.textContent = name;
    group.append(
      button, // what is written is no part of it: it has a name of its own
      label,
      svg("text", { "aria-hidden": "true", class: "value", y: 0.1 * pitch, "font-size": 0.28 * pitch }),
      svg("text", { "aria-hidden": "true", class: "name margin", y: 0.28 * pitch, "font-size": 0.16 * pitch }),
    );
    button.addEventListener("click", () => this.choose(name));
    this._places.set(name, button);
    return group;
  }

  /** @param {string} name */
  choose(name) {
    this.chosen = this.chosen === name ? null : name;
    for (const [cell, button] of this._places) {
      set(button, { "aria-pressed": String(cell === this.chosen), tabindex: cell === name ? 0 : -1 });
    }
    this._onChoose();
  }

  /** @param {KeyboardEvent} event */
  _key(event) {
    const at = event.target instanceof Element ? event.target.closest("[data-cell]") : null;
    const name = at?.getAttribute("data-cell");
    if (!at || !name) return;
    if (event.key === "Enter" || event.key === " ") this.choose(name);
    else if (Object.hasOwn(ARROWS, event.key)) this._focusNext(name, at, ...ARROWS[event.key]);
    else return;
    event.preventDefault();
  }

  /**
   * @param {string} name
   * @param {Element} at
   * @param {number} dx
   * @param {number} dy
   */
  _focusNext(name, at, dx, dy) {
    const from = this._geometry.byName.get(name);
    const next = from && this._geometry.next(this._geometry.cells, from, dx, dy);
    const button = next && this._places.get(next.name);
    if (!button) return;
    at.setAttribute("tabindex", "-1");
    button.setAttribute("tabindex", "0");
    button.focus();
  }

  /**
   * @param {Report} report
   * @param {Texts} texts
   */
  show(report, texts) {
    const number = format(texts.lang, 1);
    report.cells.forEach((name, k) => {
      const button = this._places.get(name);
      const group = button?.parentElement;
      if (!button || !group) return;
      const [value, state] = [report.values[k], report.states[k]];
      const shown = value === null ? "–" : number(value);
      const [, , reading, margin] = group.children;
      say(reading, shown);
      say(margin, report.margins_mt[k] === null ? "" : number(report.margins_mt[k] ?? 0));
      set(group, { "data-state": state, "data-occupied": String(report.occupied[k] === true) });
      const said = [`${name}: ${value === null ? texts.t("diagnostics.unread") : `${shown} ${report.unit === "mT" ? "mT" : ""}`}`];
      if (state !== "ok") said.push(texts.either([`fault.${state}`], state, [name]));
      const label = said.join(" ").trim();
      if (button.getAttribute("aria-label") !== label) button.setAttribute("aria-label", label);
    });
  }

  /**
   * All that is known of one place.
   * @param {Report} report
   * @param {number} k
   * @param {Texts} texts
   */
  words(report, k, texts) {
    const [cell, value, noise, margin, limit] = [report.cells[k], report.values[k], report.noise_mt[k], report.margins_mt[k], report.thresholds_mt[k]];
    const number = format(texts.lang, 2);
    const said = [];
    if (value === null) said.push(`${cell}: ${texts.t("diagnostics.unread")}`);
    else if (margin === null || noise === null || limit === null) said.push(`${cell}: ${number(value)}`);
    else {
      const key = report.occupied[k] ? "diagnostics.occupied" : "diagnostics.empty";
      said.push(texts.t(key, { cell, value: number(value), margin: number(margin), limit: number(limit), noise: format(texts.lang, 3)(noise) }));
    }
    if (report.states[k] !== "ok") said.push(texts.either([`fault.${report.states[k]}`], report.states[k], [cell]));
    return said.join(" ");
  }
}

/**
 * @param {string} lang
 * @param {number} digits
 */
function format(lang, digits) {
  const made = new Intl.NumberFormat(lang, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return (/** @type {number} */ value) => made.format(value);
}
