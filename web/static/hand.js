// The hand of whoever plays on the simulated table. What it holds is drawn here at once, wherever the
// pointer is; the table hears of it some 30 times a second and says later what really happened.

import { TableGuess } from "./guess.js";

/** @import { Board } from "./board.js" */
/** @import { Carried, Pieces, Point, Table } from "./types.js" */

const SEND_MS = 33;
/** A dragged tower is carried low enough for the sensors of the places it passes to feel it. */
const LOW_MM = 6;
const HIGH_MM = 25;
const CARRY_MS = 500;
const LIFT_MS = 110;
/** Within this many pitches of a hole a tower goes into it, as the wood would guide it. */
const SNAP = 0.5;

/**
 * @typedef {Point & {cell: string | null}} Spot
 * @typedef {object} Held
 * @property {Pieces} pieces
 * @property {Spot} from
 * @property {number} x_mm
 * @property {number} y_mm
 * @property {number} clearance where it is, on its way to `aim`
 * @property {number} aim
 * @property {{from: Point, to: Point, begun: number} | null} carry
 */

export class Hand {
  /**
   * @param {Board} board
   * @param {object} outside
   * @param {(message: Record<string, unknown>) => void} outside.tell
   * @param {(pieces: Pieces | null) => void} outside.onHold what is held now, or null
   * @param {() => boolean} outside.calm whether motion should be spared
   */
  constructor(board, { tell, onHold, calm }) {
    this._board = board;
    this._tell = tell;
    this._onHold = onHold;
    this._calm = calm;
    this._guess = new TableGuess();
    /** @type {Held | null} */
    this._held = null;
    /** @type {Carried | null} */
    this._remote = null;
    this._frame = 0;
    this._last = 0;
    this._sent = 0;
    this._unsent = false;
  }

  get holding() {
    return this._held !== null;
  }

  /** Whether somebody else's hand is over the table. */
  get busy() {
    return !this._held && this._guess.othersHold();
  }

  /**
   * What the table says.
   * @param {Table} table
   */
  hear(table) {
    if (this._guess.hear(table, performance.now())) this._letGo();
    this._draw();
  }

  /**
   * The pieces that stand at a spot, as far as is known here.
   * @param {Spot} spot
   */
  piecesAt(spot) {
    return this._guess.piecesAt(spot);
  }

  /**
   * Take hold of what stands at a spot; false if there is nothing, or no hand free.
   * @param {Spot} spot
   * @param {number | null} count only so many from the top
   * @param {boolean} high whether to lift it well clear
   */
  grab(spot, count, high) {
    this.finish();
    const standing = this.piecesAt(spot);
    if (!standing.length || this._held || this.busy) return false;
    const pieces = count === null ? standing : standing.slice(-count);
    const { x_mm, y_mm } = spot;
    this._tell({ type: "hand", action: "grab", x_mm, y_mm, ...(count === null ? {} : { count }) });
    this._held = { pieces, from: spot, x_mm, y_mm, clearance: 0, aim: high ? HIGH_MM : LOW_MM, carry: null };
    this._guess.grabbed(spot, pieces, performance.now());
    this._send();
    this._onHold(pieces);
    this._draw();
    this._animate();
    return true;
  }

  /** Lift what is held well clear of everything. */
  raise() {
    if (this._held) this._held.aim = HIGH_MM;
    this._unsent = true;
    this._animate();
  }

  /**
   * Drag what is held to a point, low.
   * @param {Point} point
   */
  drag(point) {
    if (!this._held) return;
    this._held.carry = null;
    this._held.aim = LOW_MM;
    this._moveTo(this._board.geometry.onTable(point));
    this._animate();
  }

  /** Set down what is held, here. */
  release() {
    const held = this._held;
    if (!held) return;
    const spot = this._landing(held);
    this._moveTo(spot);
    this._send();
    this._tell({ type: "hand", action: "release" });
    this._guess.released(spot, held.pieces);
    this._letGo();
  }

  /**
   * Carry what is held high over everything to a point, and set it down there.
   * @param {Point} point
   */
  carryTo(point) {
    const held = this._held;
    if (!held) return;
    held.aim = HIGH_MM;
    const to = this._landing(this._board.geometry.onTable(point));
    held.carry = { from: { x_mm: held.x_mm, y_mm: held.y_mm }, to, begun: performance.now() };
    this._animate();
  }

  /** Put what is held back where it came from. */
  putBack() {
    if (this._held) this.carryTo(this._held.from);
  }

  /** Put what is held on a free spot beside the board. */
  putAside() {
    const { plate, pitch } = this._board.geometry;
    const x_mm = plate.x + plate.width + pitch / 2;
    const taken = this._guess.shown().loose;
    for (let y = plate.y + pitch / 2; y < plate.y + plate.height; y += pitch) {
      const free = taken.every((piece) => Math.hypot(piece.x_mm - x_mm, piece.y_mm + y) > pitch * 0.9);
      if (free) return this.carryTo({ x_mm, y_mm: -y });
    }
    this.carryTo({ x_mm, y_mm: -plate.y });
  }

  /** Do at once what is still under way. */
  finish() {
    const held = this._held;
    if (!held?.carry) return;
    this._moveTo(held.carry.to);
    this.release();
  }

  /** The hand is empty, whatever it held: the connection went, or somebody else has the hand. */
  drop() {
    this._guess.forget();
    this._letGo();
  }

  /**
   * Where something let go at a point comes to stand.
   * @param {Point} point
   * @returns {Spot}
   */
  _landing(point) {
    const cell = this._board.geometry.cellAt(point, SNAP);
    return cell ? { x_mm: cell.x_mm, y_mm: cell.y_mm, cell: cell.name } : { x_mm: point.x_mm, y_mm: point.y_mm, cell: null };
  }

  /** @param {Point} point */
  _moveTo({ x_mm, y_mm }) {
    if (!this._held) return;
    Object.assign(this._held, { x_mm, y_mm });
    this._unsent = true;
  }

  _letGo() {
    const held = this._held;
    this._held = null;
    this._unsent = false;
    if (held) this._onHold(null);
    this._draw();
  }

  _send() {
    if (!this._held) return;
    const { x_mm, y_mm, aim } = this._held;
    const round = (/** @type {number} */ mm) => Math.round(mm * 10) / 10;
    this._tell({ type: "hand", action: "move", x_mm: round(x_mm), y_mm: round(y_mm), clearance_mm: aim });
    this._unsent = false;
    this._sent = performance.now();
  }

  _animate() {
    if (this._frame) return;
    this._last = performance.now();
    const frame = (/** @type {number} */ now) => {
      this._frame = 0;
      if (this._step(now)) this._frame = requestAnimationFrame(frame);
    };
    this._frame = requestAnimationFrame(frame);
  }

  /**
   * One frame; true while there is more to come.
   * @param {number} now
   */
  _step(now) {
    const passed = Math.max(0, now - this._last);
    this._last = now;
    const held = this._held;
    let more = false;
    if (held) {
      const step = this._calm() ? HIGH_MM : (HIGH_MM * passed) / LIFT_MS;
      held.clearance += Math.max(-step, Math.min(step, held.aim - held.clearance));
      if (held.carry) this._carryOn(held, held.carry, now);
      if (this._unsent && now - this._sent >= SEND_MS) this._send();
      more = this._held !== null && (held.carry !== null || held.clearance !== held.aim || this._unsent);
    }
    const glides = this._glide(passed);
    this._draw();
    return more || glides;
  }

  /**
   * @param {Held} held
   * @param {{from: Point, to: Point, begun: number}} carry
   * @param {number} now
   */
  _carryOn(held, carry, now) {
    const done = Math.min(1, Math.max(0, (now - carry.begun) / CARRY_MS));
    const eased = done * done * (3 - 2 * done);
    this._moveTo({
      x_mm: carry.from.x_mm + (carry.to.x_mm - carry.from.x_mm) * eased,
      y_mm: carry.from.y_mm + (carry.to.y_mm - carry.from.y_mm) * eased,
    });
    held.aim = done > 0.9 ? LOW_MM : HIGH_MM;
    if (done === 1) this.release();
  }

  /**
   * Move the picture of somebody else's hand towards where it was seen last.
   * @param {number} passed ms
   */
  _glide(passed) {
    const seen = this._held ? undefined : this._guess.shown().hands[0];
    if (!seen) {
      this._remote = null;
      return false;
    }
    const part = this._calm() ? 1 : 1 - Math.exp(-passed / 60);
    const at = this._remote ?? seen;
    const near = (/** @type {number} */ a, /** @type {number} */ b) => (Math.abs(b - a) < 0.2 ? b : a + (b - a) * part);
    this._remote = {
      pieces: seen.pieces,
      x_mm: near(at.x_mm, seen.x_mm),
      y_mm: near(at.y_mm, seen.y_mm),
      clearance_mm: near(at.clearance_mm, seen.clearance_mm),
    };
    return this._remote.x_mm !== seen.x_mm || this._remote.y_mm !== seen.y_mm || this._remote.clearance_mm !== seen.clearance_mm;
  }

  _draw() {
    const table = this._guess.shown();
    this._board.setStacks(table.stacks);
    this._board.setLoose(table.loose);
    const held = this._held;
    if (held) this._board.setHand({ ...held, clearance_mm: held.clearance });
    else {
      if (table.hands.length) this._animate();
      else this._remote = null;
      this._board.setHand(this._remote);
    }
  }
}
