// The picture where real pieces stand on real wood: the agreed position, what was lifted from it, and
// each move as a tower that goes where it went.

import { cellsOf } from "./state.js";

/** @import { Board } from "./board.js" */
/** @import { Pieces, Point, View } from "./types.js" */

const FLIGHT_MS = 260;
const RAISED_MM = 25;

export class Agreed {
  /**
   * @param {Board} board
   * @param {() => boolean} calm whether motion should be spared
   */
  constructor(board, calm) {
    this._board = board;
    this._calm = calm;
    /** @type {View | null} */
    this._view = null;
    /** @type {{from: Point, to: Point, target: string, pieces: Pieces, begun: number} | null} */
    this._flight = null;
  }

  /** @param {View} view */
  show(view) {
    if (view === this._view) return;
    const flight = this._view && !this._calm() ? this._flightOf(this._view, view) : null;
    this._view = view;
    if (flight) this._flight = { ...flight, begun: performance.now() };
    else if (this._flight && view.stacks[this._flight.target] === undefined) this._flight = null;
    this._draw(performance.now());
  }

  /**
   * The way of the tower whose move is new in `after`; null if something else has changed.
   * @param {View} before
   * @param {View} after
   */
  _flightOf(before, after) {
    const move = after.moves[after.moves.length - 1];
    if (after.game_id !== before.game_id || after.moves.length !== before.moves.length + 1) return null;
    const cells = cellsOf(move.move, this._board.info);
    const target = cells[cells.length - 1];
    const [from, to] = [this._board.geometry.byName.get(cells[0]), this._board.geometry.byName.get(target)];
    const pieces = before.stacks[cells[0]];
    if (!from || !to || from === to || !pieces?.length) return null;
    return { from, to, target, pieces };
  }

  /** @param {number} now */
  _draw(now) {
    const view = this._view;
    if (!view) return;
    if (this._flight && now - this._flight.begun >= FLIGHT_MS) this._flight = null;
    if (this._flight) this._drawFlight(view, this._flight, now);
    else this._drawStill(view);
  }

  /**
   * @param {View} view
   * @param {{from: Point, to: Point, target: string, pieces: Pieces, begun: number}} flight
   * @param {number} now
   */
  _drawFlight(view, { from, to, target, pieces, begun }, now) {
    const part = Math.max(0, (now - begun) / FLIGHT_MS);
    const eased = part * part * (3 - 2 * part);
    const below = (view.stacks[target] ?? []).slice(0, -pieces.length);
    this._board.setStacks({ ...view.stacks, [target]: below });
    this._board.setHand({
      pieces,
      x_mm: from.x_mm + (to.x_mm - from.x_mm) * eased,
      y_mm: from.y_mm + (to.y_mm - from.y_mm) * eased,
      clearance_mm: RAISED_MM * (1 - part),
    });
    requestAnimationFrame((then) => this._draw(then));
  }

  /** @param {View} view */
  _drawStill(view) {
    const cell = view.lifted === null ? undefined : this._board.geometry.byName.get(view.lifted);
    const pieces = cell ? (view.stacks[cell.name] ?? []) : [];
    if (!cell || !pieces.length) {
      this._board.setStacks(view.stacks);
      this._board.setHand(null);
      return;
    }
    this._board.setStacks({ ...view.stacks, [cell.name]: [] });
    this._board.setHand({ x_mm: cell.x_mm, y_mm: cell.y_mm, clearance_mm: RAISED_MM, pieces });
  }
}
