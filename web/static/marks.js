// What the page draws over the board besides pieces and lights: what to bring where, what is missing,
// what is too much, which moves are asked about.

import { svg } from "./dom.js";
import { cellsOf } from "./state.js";
import { ownerClass } from "./towers.js";

/** @import { BoardInfo, Task, View } from "./types.js" */
/** @import { Geometry } from "./geometry.js" */
/** @import { TowerShape } from "./towers.js" */

export class Marks {
  /**
   * @param {BoardInfo} board
   * @param {Geometry} geometry
   * @param {TowerShape} shape
   */
  constructor(board, geometry, shape) {
    this._board = board;
    this._geometry = geometry;
    this._shape = shape;
    this.below = svg("g", { class: "marks", "aria-hidden": "true" });
    this.above = svg("g", { class: "marks", "aria-hidden": "true" });
    this._shown = "";
  }

  /**
   * @param {View} view
   * @param {string | null} pointed the move of the question that is pointed at
   * @param {Task[]} differences what the page itself sees to be wrong
   */
  show(view, pointed, differences) {
    const tasks = [...view.tasks, ...differences];
    const wanted = JSON.stringify([tasks, view.question, pointed]);
    if (wanted === this._shown) return;
    this._shown = wanted;
    this.below.replaceChildren(...tasks.flatMap((task) => this._ghost(task)));
    this.above.replaceChildren(
      ...tasks.flatMap((task, i) => this._task(task, i === 0 ? "bring" : "bring later")),
      ...view.question.flatMap((move) => this._move(move, move === pointed ? "asked pointed" : "asked")),
    );
  }

  /** @param {string} name */
  _at(name) {
    const cell = this._geometry.byName.get(name);
    return cell ? { x: cell.x_mm, y: -cell.y_mm } : null;
  }

  /**
   * The piece that should stand on a place, faintly.
   * @param {Task} task
   */
  _ghost(task) {
    const at = this._at(task.cell);
    if (task.kind !== "place" || !at) return [];
    const tower = this._shape.draw(Array(Math.max(1, task.height)).fill(task.owner));
    tower.setAttribute("transform", `translate(${at.x} ${at.y})`);
    tower.classList.add("ghost");
    return [tower];
  }

  /**
   * @param {Task} task
   * @param {string} kind of arrow
   */
  _task(task, kind) {
    const at = this._at(task.cell);
    if (!at) return [];
    if (task.kind === "move" && task.origin) return this._arrow(task.origin, task.cell, kind);
    const r = this._shape.radius * 1.22;
    const where = { transform: `translate(${at.x} ${at.y})` };
    if (task.kind === "place") {
      return [svg("circle", { class: `wanted ${ownerClass(task.owner)}`, r, ...where })];
    }
    const d = r * 0.5;
    return [
      svg("circle", { class: "unwanted", r, ...where }),
      svg("path", { class: "unwanted", d: `M${-d} ${-d}L${d} ${d}M${d} ${-d}L${-d} ${d}`, ...where }),
    ];
  }

  /**
   * @param {string} move
   * @param {string} kind
   */
  _move(move, kind) {
    const cells = cellsOf(move, this._board);
    return cells.slice(1).flatMap((cell, i) => this._arrow(cells[i], cell, kind));
  }

  /**
   * @param {string} from
   * @param {string} to
   * @param {string} kind
   */
  _arrow(from, to, kind) {
    const a = this._at(from);
    const b = this._at(to);
    if (!a || !b) return [];
    const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
    const [ux, uy] = [(b.x - a.x) / length, (b.y - a.y) / length];
    const gap = this._shape.radius * 0.55;
    const tip = [b.x - ux * gap, b.y - uy * gap];
    const start = [a.x + ux * gap, a.y + uy * gap];
    const bend = Math.min(14, length * 0.18);
    const middle = [(start[0] + tip[0]) / 2 + uy * bend, (start[1] + tip[1]) / 2 - ux * bend];
    const angle = (Math.atan2(tip[1] - middle[1], tip[0] - middle[0]) * 180) / Math.PI;
    const line = `M${start[0]} ${start[1]}Q${middle[0]} ${middle[1]} ${tip[0]} ${tip[1]}`;
    return [
      svg("path", { class: `arrow edge ${kind}`, d: line }),
      svg("path", { class: `arrow ${kind}`, d: line }),
      svg("path", { class: `arrowhead ${kind}`, d: "M2 0L-6 4.6L-3.6 0L-6 -4.6Z", transform: `translate(${tip[0]} ${tip[1]}) rotate(${angle})` }),
    ];
  }
}
