// How pieces look: discs seen from a little in front, so that a tower shows how many it has.
// Red and black are also told apart by the mark on top: a ring and a diamond.

import { html, svg } from "./dom.js";

/** @import { BoardInfo, Pieces } from "./types.js" */

/** How round the discs still look from where one sits, and how much of their height shows. */
const TILT = 0.9;
const RISE = 0.36;
const SHRINK = 0.92;

export class TowerShape {
  /** @param {BoardInfo} board */
  constructor(board) {
    this.radius = (board.piece_diameter_mm / 2) * SHRINK;
    this.depth = this.radius * TILT;
    this.step = board.piece_mm * RISE;
  }

  /**
   * A tower standing with its middle on 0, 0, as an SVG group.
   * @param {Pieces} pieces
   */
  draw(pieces) {
    const group = svg("g", { class: "tower" });
    group.append(svg("ellipse", { class: "shadow", cx: 1.6, cy: 2.4, rx: this.radius * 1.04, ry: this.depth * 1.02 }));
    pieces.forEach((owner, level) => group.append(...this._disc(owner, level, level === pieces.length - 1)));
    group.append(this._mark(pieces));
    return group;
  }

  /**
   * What a pointer can hit of a place: the hole with some room around it, and the tower that rises from it.
   * @param {number} room
   * @param {number} height
   */
  outline(room, height) {
    const [r, depth] = [this.radius, this.depth];
    const rise = height * this.step;
    const hole = `M${-room} 0A${room} ${room} 0 0 0 ${room} 0A${room} ${room} 0 0 0 ${-room} 0Z`;
    return rise ? `${hole}M${-r} 0H${r}V${-rise}A${r} ${depth} 0 0 0 ${-r} ${-rise}Z` : hole;
  }

  /**
   * @param {number | null} owner
   * @param {number} level
   * @param {boolean} top
   */
  _disc(owner, level, top) {
    const { radius: r, depth, step } = this;
    const low = -level * step;
    const high = low - step;
    const side = `M${-r} ${high}V${low}A${r} ${depth} 0 0 0 ${r} ${low}V${high}A${r} ${depth} 0 0 1 ${-r} ${high}Z`;
    const owned = ownerClass(owner);
    const parts = [svg("path", { class: `side ${owned}`, d: side })];
    parts.push(svg("ellipse", { class: `face ${owned}`, fill: faceFill(owner), cx: 0, cy: high, rx: r, ry: depth }));
    if (top) parts.push(svg("ellipse", { class: `rim ${owned}`, cx: 0, cy: high, rx: r * 0.9, ry: depth * 0.9 }));
    return parts;
  }

  /** @param {Pieces} pieces */
  _mark(pieces) {
    const owner = pieces[pieces.length - 1];
    const y = -pieces.length * this.step;
    const mark = svg("g", { class: `mark ${ownerClass(owner)}`, transform: `translate(0 ${y}) scale(1 ${TILT})` });
    mark.append(markShape(owner, this.radius * 0.57));
    if (pieces.length > 1) {
      const number = svg("text", { class: "height", y: 0 });
      number.textContent = String(pieces.length);
      mark.append(number);
    }
    return mark;
  }
}

/** The sheen on the pieces' faces, once a page. */
export function faceSheen() {
  const sheen = (/** @type {string} */ id, /** @type {string} */ light, /** @type {string} */ base) =>
    svg(
      "radialGradient",
      { id, cx: 0.36, cy: 0.3, r: 0.85 },
      svg("stop", { offset: 0, "stop-color": light }),
      svg("stop", { offset: 0.75, "stop-color": base }),
    );
  return svg("defs", {}, sheen("face0", "#d9604c", "#ab2f23"), sheen("face1", "#5a524d", "#2b2623"));
}

/** @param {number | null} owner */
function faceFill(owner) {
  return owner === 0 || owner === 1 ? `url(#face${owner})` : null;
}

/** @param {number | null} owner */
export function ownerClass(owner) {
  return owner === null || owner === undefined ? "unknown" : `player${owner}`;
}

/**
 * @param {number | null} owner
 * @param {number} size
 */
function markShape(owner, size) {
  if (owner === 0) return svg("circle", { r: size });
  if (owner === 1) return svg("path", { d: `M0 ${-size * 1.16}L${size * 1.16} 0L0 ${size * 1.16}L${-size * 1.16} 0Z` });
  return svg("path", { d: `M${-size / 2} 0H${size / 2}` });
}

/**
 * A small picture of a player's piece, to stand beside a text that names the player.
 * @param {number | null} owner
 */
export function token(owner) {
  const picture = svg("svg", { viewBox: "-12 -12 24 24", "aria-hidden": "true", focusable: "false" });
  picture.append(svg("circle", { class: `face ${ownerClass(owner)}`, fill: faceFill(owner), r: 11 }));
  const mark = svg("g", { class: `mark ${ownerClass(owner)}` }, markShape(owner, 5.6));
  picture.append(mark);
  return html("span", { class: "token" }, picture);
}
