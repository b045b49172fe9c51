// The hand of whoever plays on the simulated table. What it holds is drawn here at once, wherever the
// pointer is; the table hears of it some 30 times a second and says later what really happened.

import { TableGuess } from "./guess.js";
import { RemoteHand } from "./remote.js";

/** @import { Board } from "./board.js" */
/** @import { Carried, Pieces, Point, Table } from "./types.js" */

const SEND_MS = 33;
/** A dragged tower is carried low enough for the sensors of the places it passes to feel it. */
const LOW_MM = 6;
const HIGH_MM = 25;
const CARRY_MS = 500;
const LIFT_MS = 110;
const SINK_MS = 90;
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
    this._remote = new RemoteHand();
    /** @type {{carried: Carried, to: Spot, begun: number} | null} what was let go and has not arrived yet */
    this._sinking = null;
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
    const carried = { ...held, clearance_mm: held.clearance };
    this._moveTo(spot);
    this._send();
    this._tell({ type: "hand", action: "release" });
    this._guess.released(spot, held.pieces);
    this._sinking = this._calm() ? null : { carried, to: spot, begun: performance.now() };
    this._letGo();
    this._animate();
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
    this._sinking = null;
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
    const seen = held ? undefined : this._guess.shown().hands[0];
    const glides = this._remote.follow(seen, passed, this._calm());
    if (this._sinking && now - this._sinking.begun >= SINK_MS) this._sinking = null;
    this._draw();
    return more || glides || this._sinking !== null;
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

  _draw() {
    const sinking = this._held ? null : this._sinking;
    const table = sinking ? this._guess.shownWithout(sinking.to, sinking.carried.pieces.length) : this._guess.shown();
    this._board.setStacks(table.stacks);
    this._board.setLoose(table.loose);
    const held = this._held;
    if (held) this._board.setHand({ ...held, clearance_mm: held.clearance });
    else if (sinking) this._board.setHand(sunk(sinking, performance.now()));
    else {
      if (table.hands.length) this._animate();
      else this._remote.at = null;
      this._board.setHand(this._remote.at);
    }
  }
}

/**
 * Where something that was let go is on its last way down.
 * @param {{carried: Carried, to: Point, begun: number}} sinking
 * @param {number} now
 * @returns {Carried}
 */
function sunk({ carried, to, begun }, now) {
  const part = Math.min(1, Math.max(0, (now - begun) / SINK_MS));
  return {
    pieces: carried.pieces,
    x_mm: carried.x_mm + (to.x_mm - carried.x_mm) * part,
    y_mm: carried.y_mm + (to.y_mm - carried.y_mm) * part,
    clearance_mm: carried.clearance_mm * (1 - part),
  };
}
