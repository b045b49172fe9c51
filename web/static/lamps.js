// The lights under the holes, exactly as the strip shows them.

import { set, svg } from "./dom.js";

/** @import { BoardInfo, Rgb } from "./types.js" */

/** Rings of light from the hole outwards: radius in radii of a piece, and how strong. */
const GLOW = [
  [1.58, 0.16],
  [1.42, 0.28],
  [1.26, 0.6],
  [1.12, 0.75],
];
/** The eye sees half the light as far more than half as bright. */
const EYE = 1 / 2.2;
/** Light that shines on wood is never as pure as a screen could show it. */
const HAZE = 40;

export class Lamps {
  /**
   * @param {BoardInfo} board
   * @param {number} radius of a piece as drawn
   */
  constructor(board, radius) {
    this.group = svg("g", { class: "lamps", "aria-hidden": "true" });
    /** @type {{pixel: number, lamp: SVGGElement, shown: string}[]} */
    this._lamps = board.cells.map((cell) => {
      const lamp = svg("g", { class: "lamp", "data-lamp": cell.name, transform: `translate(${cell.x_mm} ${-cell.y_mm})`, opacity: 0 });
      lamp.append(...GLOW.map(([size, strength]) => svg("circle", { r: radius * size, opacity: strength })));
      this.group.append(lamp);
      return { pixel: cell.pixel, lamp, shown: "" };
    });
  }

  /** @param {Rgb[]} pixels */
  show(pixels) {
    for (const entry of this._lamps) {
      const [r, g, b] = pixels[entry.pixel] ?? [0, 0, 0];
      const shown = `${r},${g},${b}`;
      if (shown === entry.shown) continue;
      entry.shown = shown;
      const most = Math.max(r, g, b);
      const level = (most / 255) ** EYE;
      const [red, green, blue] = [r, g, b].map((c) => Math.round(HAZE + (255 - HAZE) * (most ? c / most : 0) ** EYE));
      set(entry.lamp, {
        opacity: level.toFixed(3),
        fill: most ? `rgb(${red} ${green} ${blue})` : null,
        "data-colour": most ? shown : null,
      });
    }
  }
}
