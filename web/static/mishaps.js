// What can go wrong on purpose at the simulated table: broken places, bus and strip, a knocked board, a
// power cut, and whatever a hand script says.

import { byId, html, say } from "./dom.js";

/** @import { Board } from "./board.js" */
/** @import { BoardInfo, Reason, Table } from "./types.js" */
/** @import { Texts } from "./texts.js" */

const KNOCKED = 5;
const PLACE_FAULTS = ["dead", "stuck", "noisy"];
const BUTTONS = /** @type {Record<string, string>} */ ({
  "mishap-bus": "fault bus hang 3 s",
  "mishap-strip": "fault strip lost",
  "mishap-heal-all": "heal all",
});

export class Mishaps {
  /**
   * @param {BoardInfo} info
   * @param {Board} board
   * @param {(message: Record<string, unknown>) => void} tell
   */
  constructor(info, board, tell) {
    this._info = info;
    this._tell = tell;
    this._root = board.root;
    this._picking = false;
    /** @type {Table | null} */
    this._table = null;
    /** @type {Texts | null} */
    this._texts = null;
    /** @type {Reason | null} */
    this._refused = null;
    this._select = /** @type {HTMLSelectElement} */ (byId("mishap-cell"));
    this._script = /** @type {HTMLTextAreaElement} */ (byId("script"));
    const names = info.cells.map((cell) => cell.name).sort();
    this._select.append(...names.map((name) => html("option", { value: name }, name)));
    byId("mishaps").hidden = false;
    this._listen(board.stage);
  }

  /** @param {HTMLElement} stage */
  _listen(stage) {
    byId("mishap-pick").addEventListener("click", () => this._pick(!this._picking));
    for (const kind of PLACE_FAULTS) byId(`mishap-${kind}`).addEventListener("click", () => this._play(`fault ${kind} ${this._select.value}`));
    byId("mishap-heal").addEventListener("click", () => this._play(`heal ${this._select.value}`));
    for (const [id, script] of Object.entries(BUTTONS)) byId(id).addEventListener("click", () => this._play(script));
    byId("mishap-knock").addEventListener("click", () => this._knock());
    byId("mishap-power").addEventListener("click", () => this._tell({ type: "hand", action: "cut_power" }));
    byId("script-play").addEventListener("click", () => this._play(this._script.value));
    // Before the hand hears of it: while a place is chosen nothing is lifted.
    stage.addEventListener("pointerdown", (event) => this._picked(event), { capture: true });
  }

  /** @param {boolean} picking */
  _pick(picking) {
    this._picking = picking;
    byId("mishap-pick").setAttribute("aria-pressed", String(picking));
    this._root.classList.toggle("picking", picking);
  }

  /** @param {PointerEvent} event */
  _picked(event) {
    if (!this._picking) return;
    event.preventDefault();
    event.stopPropagation();
    const cell = event.target instanceof Element ? event.target.closest("[data-cell]")?.getAttribute("data-cell") : null;
    if (!cell) return;
    this._select.value = cell;
    this._pick(false);
    this._select.focus({ preventScroll: true });
  }

  /** Sweep away the chosen tower and those that stand nearest to it. */
  _knock() {
    const from = this._info.cells.find((cell) => cell.name === this._select.value);
    const stacks = this._table?.stacks ?? {};
    if (!from) return;
    const far = (/** @type {{x_mm: number, y_mm: number}} */ cell) => Math.hypot(cell.x_mm - from.x_mm, cell.y_mm - from.y_mm);
    const standing = this._info.cells.filter((cell) => stacks[cell.name]?.length).sort((a, b) => far(a) - far(b));
    const swept = standing.slice(0, KNOCKED).map((cell) => cell.name);
    if (swept.length) this._play(`knock ${swept.join(" ")}`);
  }

  /** @param {string} script */
  _play(script) {
    this._refused = null;
    this._tell({ type: "hand", action: "play", script });
    this._show();
  }

  /**
   * Whether a refusal is about a script, and said here.
   * @param {Reason} reason
   */
  refused(reason) {
    if (!reason.code.startsWith("script_")) return false;
    this._refused = reason;
    this._show();
    return true;
  }

  /**
   * @param {Table} table
   * @param {Texts} texts
   * @param {boolean} may whether this page's wishes are obeyed
   */
  show(table, texts, may) {
    [this._table, this._texts] = [table, texts];
    for (const button of byId("mishaps").querySelectorAll("button")) button.disabled = !may;
    this._show();
  }

  _show() {
    const [table, texts] = [this._table, this._texts];
    if (!table || !texts) return;
    const broken = (table.broken ?? []).map(({ part, kind }) => {
      const name = texts.either([`mishap.part_${part}`], part);
      return texts.t("mishap.broken", { part: name, kind: texts.either([`mishap.kind_${kind}`], kind) });
    });
    say(byId("broken"), broken.join(" · "));
    say(byId("script-status"), this._scriptWords(table, texts));
  }

  /**
   * @param {Table} table
   * @param {Texts} texts
   */
  _scriptWords({ script }, texts) {
    const failure = this._refused ?? script?.failure;
    byId("script-status").classList.toggle("wrong", Boolean(failure));
    if (failure) return texts.reason(failure);
    if (!script) return "";
    return script.is_over ? texts.t("mishap.script_over") : texts.t("mishap.script_line", { line: script.line });
  }
}
