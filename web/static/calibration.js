// The calibration: what to do next, how far it is, and how good every place turned out to be.

import { byId, html, say, set } from "./dom.js";

/** @import { Calibration, Command, PlaceReport, View } from "./types.js" */
/** @import { Texts } from "./texts.js" */

/** Beyond this many times the threshold a bar is full. */
const FULL_MARGIN = 5;

export class CalibrationPanel {
  /** @param {(command: Command) => void} command */
  constructor(command) {
    this._shown = "";
    byId("calibrate-carry").addEventListener("click", () => command({ command: "calibrate", way: "carry" }));
    byId("calibrate-setup").addEventListener("click", () => command({ command: "calibrate", way: "setup" }));
    byId("calibration-skip").addEventListener("click", () => command({ command: "skip_place" }));
    byId("calibration-end").addEventListener("click", () => command({ command: "end_calibration" }));
  }

  /**
   * @param {View} view
   * @param {Texts} texts
   * @param {boolean} mayControl
   */
  show(view, texts, mayControl) {
    const told = view.calibration ?? null;
    const shown = JSON.stringify([told, mayControl, texts.lang]);
    if (shown === this._shown) return;
    const began = told && byId("calibration").hidden;
    this._shown = shown;
    byId("calibration").hidden = told === null;
    byId("calibration-start").hidden = !mayControl || isBusy(view);
    document.body.classList.toggle("calibrating", isBusy(view));
    if (!told) return;
    say(byId("calibration-now"), sentence(told, texts));
    const count = texts.t("calibration.count", { done: told.done, total: told.total });
    say(byId("calibration-count"), count);
    set(byId("calibration-progress"), { value: told.done, max: told.total });
    byId("calibration-skip").hidden = !mayControl || !isBusy(view);
    byId("calibration-end").hidden = !mayControl;
    say(byId("calibration-end"), texts.t(isBusy(view) ? "calibration.cancel" : "calibration.close"));
    const rows = Object.entries(told.places).filter(([, place]) => place.single_mt !== null || place.fault !== null);
    byId("calibration-places").replaceChildren(...rows.map(([cell, place]) => row(cell, place, texts)));
    byId("calibration-table").hidden = rows.length === 0;
    if (began) byId("calibration").scrollIntoView({ block: "nearest" });
  }
}

/**
 * Whether the board is the calibration's and not the game's.
 * @param {View} view
 */
export function isBusy(view) {
  const stage = view.calibration?.stage;
  return stage !== undefined && stage !== "done" && stage !== "failed";
}

/**
 * The view as the board is to show it: while it is calibrated, the place to do next instead of the game.
 * @param {View} view
 * @returns {View}
 */
export function asLed(view) {
  const told = view.calibration;
  if (!told || !isBusy(view)) return view;
  /** @type {Record<string, string>} */
  const lights = told.cell ? { [told.cell]: "to" } : {};
  for (const cell of ["remove", "extra", "misplaced"].includes(told.hint ?? "") ? told.cells : []) lights[cell] = "remove";
  return { ...view, lights, tasks: [], targets: [], question: [], lifted: null, notice: null };
}

/**
 * What is to be done now.
 * @param {Calibration} told
 * @param {Texts} texts
 */
export function sentence(told, texts) {
  const params = { cells: told.cells.join(", "), cell: told.cell ?? "", n: told.cells.length };
  const hint = told.hint ?? "done";
  return texts.t(`calibration.hint.${hint}`, params);
}

/**
 * @param {string} cell
 * @param {PlaceReport} place
 * @param {Texts} texts
 */
function row(cell, place, texts) {
  const number = (/** @type {number} */ value, /** @type {number} */ digits) =>
    value.toLocaleString(texts.lang, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  const { single_mt: single, margin, fault, other } = place;
  const bar = html("span", { class: "margin-bar", "aria-hidden": "true" }, html("span", {}));
  if (bar.firstElementChild instanceof HTMLElement) {
    bar.firstElementChild.style.width = `${Math.min(100, (100 * (margin ?? 0)) / FULL_MARGIN)}%`;
  }
  const said = fault === null ? "" : texts.t(`calibration.fault.${fault}`, { cell: other ?? "" });
  return html(
    "tr",
    { class: fault === null ? null : "faulty" },
    html("th", { scope: "row" }, cell),
    html("td", {}, single === null ? "–" : `${number(single, 1)} mT`),
    html("td", {}, ...(margin === null ? ["–"] : [bar, ` ${number(margin, 1)} ×`])),
    html("td", {}, said),
  );
}
