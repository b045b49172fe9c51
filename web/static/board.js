// The board as a picture: ground, lights, pieces, marks. It shows what it is told and decides nothing.

import { set, svg } from "./dom.js";
import { Geometry } from "./geometry.js";
import { Lamps } from "./lamps.js";
import { Marks } from "./marks.js";
import { faceSheen, TowerShape } from "./towers.js";
import { drawGround } from "./ground.js";

/** @import { BoardInfo, Carried, Cell, Loose, Pieces, Point, Rgb, Table, View } from "./types.js" */
/** @typedef {{group: SVGGElement, reach: SVGPathElement, tower: SVGGElement | null, shown: string}} Place */

export class Board {
  /**
   * @param {HTMLElement} stage
   * @param {BoardInfo} info
   */
  constructor(stage, info) {
    this.info = info;
    this.stage = stage;
    this.geometry = new Geometry(info);
    this.shape = new TowerShape(info);
    const { x, y, width, height } = this.geometry.box;
    const viewBox = `${x} ${y} ${width} ${height}`;
    stage.style.aspectRatio = `${width} / ${height}`;
    stage.style.setProperty("--ratio", String(width / height));
    drawGround(stage, this.geometry, viewBox, this.shape.radius);
    this.root = svg("svg", { class: "live", viewBox });
    this._lamps = new Lamps(info, this.shape.radius);
    this.marks = new Marks(info, this.geometry, this.shape);
    this._grid = svg("g", { role: "grid", class: "pieces" });
    this._aside = svg("g", { role: "group", class: "aside" });
    this._hand = svg("g", { class: "hand", "aria-hidden": "true" });
    this.root.append(faceSheen(), this._lamps.group, this.marks.below, this._grid, this._aside, this.marks.above, this._hand);
    /** @type {Map<string, Place>} */
    this._places = new Map();
    /** @type {string} */
    this._handShown = "";
    for (const row of this.geometry.rows()) this._grid.append(this._row(row));
    stage.append(this.root);
  }

  /** @param {Cell[]} row */
  _row(row) {
    const group = svg("g", { role: "row" });
    for (const cell of row) {
      const place = svg("g", {
        role: "gridcell",
        class: "place",
        "data-cell": cell.name,
        tabindex: -1,
        transform: `translate(${cell.x_mm} ${-cell.y_mm})`,
      });
      const reach = this._reach(0);
      place.append(reach, svg("circle", { class: "focus", r: this.geometry.pitch * 0.49 }));
      this._places.set(cell.name, { group: place, reach, tower: null, shown: "" });
      group.append(place);
    }
    return group;
  }

  /**
   * What a pointer hits of a place. It is never taken out of the page while a finger is on it: a touch
   * ends with the element it began on.
   * @param {number} height
   */
  _reach(height) {
    return svg("path", { class: "reach", d: this.shape.outline(this.geometry.pitch / 2, height) });
  }

  /** @param {Rgb[]} pixels */
  setPixels(pixels) {
    this._lamps.show(pixels);
  }

  /** @param {Record<string, Pieces>} stacks */
  setStacks(stacks) {
    for (const [name, place] of this._places) {
      const pieces = stacks[name] ?? [];
      const shown = pieces.join();
      if (shown === place.shown) continue;
      place.shown = shown;
      place.tower?.remove();
      place.tower = pieces.length ? this.shape.draw(pieces) : null;
      if (place.tower) place.group.append(place.tower);
      place.reach.setAttribute("d", this.shape.outline(this.geometry.pitch / 2, pieces.length));
    }
  }

  /**
   * The pieces beside the board; the same elements stay for the same places.
   * @param {Loose[]} loose
   */
  setLoose(loose) {
    const shown = JSON.stringify(loose);
    if (this._aside.getAttribute("data-shown") === shown) return;
    this._aside.setAttribute("data-shown", shown);
    const drawn = [...loose].sort((a, b) => b.y_mm - a.y_mm);
    const old = new Map([...this._aside.children].map((child) => [child.getAttribute("data-at"), child]));
    const places = drawn.map(({ x_mm, y_mm, pieces }) => {
      const at = `${x_mm} ${y_mm} ${pieces.join()}`;
      return old.get(at) ?? this._loosePlace({ x_mm, y_mm, pieces }, at);
    });
    for (const child of [...this._aside.children]) {
      const gone = !places.includes(child);
      child.classList.toggle("gone", gone);
      if (gone && !child.classList.contains("touched")) child.remove();
    }
    // Only what is new is put in: an element that is moved loses the focus.
    let next = this._aside.firstElementChild;
    for (const place of places) {
      place.classList.remove("gone");
      while (next?.classList.contains("gone")) next = next.nextElementSibling;
      if (place === next) next = next.nextElementSibling;
      else this._aside.insertBefore(place, next);
    }
  }

  /**
   * @param {Loose} loose
   * @param {string} at
   */
  _loosePlace({ x_mm, y_mm, pieces }, at) {
    const group = svg("g", {
      role: "button",
      class: "place loose",
      "data-at": at,
      "data-x": x_mm,
      "data-y": y_mm,
      "data-pieces": pieces.join(),
      tabindex: -1,
      transform: `translate(${x_mm} ${-y_mm})`,
    });
    const focus = svg("circle", { class: "focus", r: this.geometry.pitch * 0.49 });
    group.append(this._reach(pieces.length), focus, this.shape.draw(pieces));
    return group;
  }

  /**
   * What a hand carries, or null. Its place is given at every frame, the picture made once.
   * @param {Carried | null} carried
   */
  setHand(carried) {
    const shown = carried ? carried.pieces.join() : "";
    if (shown !== this._handShown) {
      this._handShown = shown;
      this._hand.replaceChildren(...(carried ? [this.shape.draw(carried.pieces)] : []));
    }
    if (!carried) return;
    const lift = 1.5 + carried.clearance_mm * 0.22;
    const shadow = this._hand.querySelector(".shadow");
    if (shadow) set(shadow, { transform: `translate(${lift * 0.5} ${lift * 1.1})` });
    set(this._hand, { transform: `translate(${carried.x_mm.toFixed(2)} ${(-carried.y_mm - lift).toFixed(2)})` });
  }

  /**
   * The words for every place, for those who listen.
   * @param {(cell: Cell) => string} ofCell
   * @param {(pieces: Pieces) => string} ofLoose
   */
  setLabels(ofCell, ofLoose) {
    for (const [name, { group }] of this._places) {
      const cell = /** @type {Cell} */ (this.geometry.byName.get(name));
      const label = ofCell(cell);
      if (group.getAttribute("aria-label") !== label) group.setAttribute("aria-label", label);
    }
    for (const group of this._aside.children) {
      const pieces = (group.getAttribute("data-pieces") ?? "").split(",").map((p) => (p === "" ? null : Number(p)));
      group.setAttribute("aria-label", ofLoose(pieces));
    }
  }

  /**
   * Names of the picture's parts.
   * @param {string} grid
   * @param {string} aside
   */
  setNames(grid, aside) {
    this._grid.setAttribute("aria-label", grid);
    this._aside.setAttribute("aria-label", aside);
  }

  /**
   * A point of the screen in millimetres of the board.
   * @param {number} clientX
   * @param {number} clientY
   * @returns {Point}
   */
  toMm(clientX, clientY) {
    const matrix = this.root.getScreenCTM();
    if (!matrix) return { x_mm: 0, y_mm: 0 };
    const point = new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
    return { x_mm: point.x, y_mm: -point.y };
  }

  /** All places that can have the focus. @returns {SVGGElement[]} */
  places() {
    const loose = /** @type {SVGGElement[]} */ ([...this._aside.children]).filter((place) => !place.classList.contains("gone"));
    return [...[...this._places.values()].map(({ group }) => group), ...loose];
  }

  /**
   * Where a place is, and which cell it is (null beside the board).
   * @param {Element} place
   * @returns {Point & {cell: string | null}}
   */
  pointOf(place) {
    const cell = this.geometry.byName.get(place.getAttribute("data-cell") ?? "");
    if (cell) return { x_mm: cell.x_mm, y_mm: cell.y_mm, cell: cell.name };
    return { x_mm: Number(place.getAttribute("data-x")), y_mm: Number(place.getAttribute("data-y")), cell: null };
  }
}
