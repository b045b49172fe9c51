// Where things are, in millimetres of the board file (x to the right, y up) and in drawing units
// (the same millimetres with y down). Pure.

/** @import { BoardInfo, Cell, Point } from "./types.js" */

/** How far the plate reaches beyond the outermost holes, in pitches. */
const PLATE = 1.02;
/** How much of the table around the plate is shown where pieces can lie on it, in pitches. */
const TABLE = 0.8;
const EDGE = 0.12;

export class Geometry {
  /** @param {BoardInfo} board */
  constructor(board) {
    const xs = board.cells.map((cell) => cell.x_mm);
    const ys = board.cells.map((cell) => cell.y_mm);
    this.pitch = board.pitch_mm;
    this.cells = board.cells;
    this.byName = new Map(board.cells.map((cell) => [cell.name, cell]));
    const margin = PLATE * this.pitch;
    this.left = Math.min(...xs);
    this.right = Math.max(...xs);
    this.bottom = Math.min(...ys);
    this.top = Math.max(...ys);
    this.plate = {
      x: this.left - margin,
      y: -this.top - margin,
      width: this.right - this.left + 2 * margin,
      height: this.top - this.bottom + 2 * margin,
    };
    const around = (board.simulated ? TABLE : EDGE) * this.pitch;
    this.box = {
      x: this.plate.x - around,
      y: this.plate.y - around,
      width: this.plate.width + 2 * around,
      height: this.plate.height + 2 * around,
    };
  }

  /** The rows of cells as they are read: from the top, each from the left. */
  rows() {
    /** @type {Map<number, Cell[]>} */
    const rows = new Map();
    for (const cell of this.cells) {
      const key = Math.round(cell.y_mm / (this.pitch / 2));
      rows.set(key, [...(rows.get(key) ?? []), cell]);
    }
    return [...rows].sort(([a], [b]) => b - a).map(([, row]) => row.sort((a, b) => a.x_mm - b.x_mm));
  }

  /**
   * The cell whose hole lies under a point, or null beside them all.
   * @param {Point} point
   * @param {number} [reach] in pitches
   */
  cellAt(point, reach = 0.5) {
    const near = this.cells.map((cell) => ({ cell, d: Math.hypot(cell.x_mm - point.x_mm, cell.y_mm - point.y_mm) }));
    const best = near.reduce((a, b) => (b.d < a.d ? b : a));
    return best.d <= reach * this.pitch ? best.cell : null;
  }

  /**
   * The nearest of `points` in a direction (dx, dy with y up), straight ahead preferred; null if none.
   * @template {Point} P
   * @param {P[]} points
   * @param {Point} from
   * @param {number} dx
   * @param {number} dy
   * @returns {P | null}
   */
  next(points, from, dx, dy) {
    let best = null;
    let least = Infinity;
    for (const point of points) {
      const x = point.x_mm - from.x_mm;
      const y = point.y_mm - from.y_mm;
      const ahead = x * dx + y * dy;
      const aside = Math.abs(x * dy - y * dx);
      if (ahead < this.pitch / 4 || aside > ahead * 1.01) continue;
      const cost = ahead + 2 * aside;
      if (cost < least) [best, least] = [point, cost];
    }
    return best;
  }

  /**
   * A point moved onto what is shown of the table, far enough inside to be seen whole.
   * @param {Point} point
   * @returns {Point}
   */
  onTable(point) {
    const inset = this.pitch / 2;
    const { x, y, width, height } = this.box;
    return {
      x_mm: Math.min(x + width - inset, Math.max(x + inset, point.x_mm)),
      y_mm: Math.min(-y - inset, Math.max(-y - height + inset, point.y_mm)),
    };
  }

  /**
   * The outline around all holes, `beyond` pitches outside, as an SVG path with round corners.
   * @param {number} beyond
   */
  outline(beyond) {
    const r = beyond * this.pitch;
    const hull = convexHull(this.cells.map((cell) => [cell.x_mm, -cell.y_mm]));
    const sides = hull.map((a, i) => {
      const b = hull[(i + 1) % hull.length];
      const length = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
      const [nx, ny] = [((b[1] - a[1]) / length) * r, (-(b[0] - a[0]) / length) * r];
      return [a, b].map(([x, y]) => `${(x + nx).toFixed(1)} ${(y + ny).toFixed(1)}`);
    });
    const corner = `A${r} ${r} 0 0 1 `;
    return `M${sides.map(([from, to]) => `${from}L${to}`).join(corner)}${corner}${sides[0][0]}Z`;
  }
}

/**
 * The corners of the smallest convex polygon around `points`, clockwise on a screen.
 * @param {number[][]} points
 */
function convexHull(points) {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  /** @param {number[][]} list */
  const chain = (list) => {
    /** @type {number[][]} */
    const hull = [];
    for (const point of list) {
      while (hull.length > 1 && cross(hull[hull.length - 2], hull[hull.length - 1], point) <= 0) hull.pop();
      hull.push(point);
    }
    return hull.slice(0, -1);
  };
  return [...chain(sorted), ...chain(sorted.reverse())];
}

/**
 * @param {number[]} a
 * @param {number[]} b
 * @param {number[]} c
 */
function cross(a, b, c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}
