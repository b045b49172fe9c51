// What the simulated table must look like now: what it said last, and what the hand here has done since.

/** @import { Loose, Pieces, Point, Table } from "./types.js" */
/** @typedef {Point & {cell: string | null}} Spot */

/** So long after a grab the table may still show an empty hand because it has not heard of it. */
const PATIENCE_MS = 600;

export class TableGuess {
  constructor() {
    /** @type {Table} */
    this._table = { stacks: {}, loose: [], hands: [] };
    /** @type {{spot: Spot, pieces: Pieces, at: number} | null} */
    this._taken = null;
    /** @type {{spot: Spot, pieces: Pieces} | null} */
    this._put = null;
  }

  /**
   * What the table says. True if the hand here must be empty after all.
   * @param {Table} table
   * @param {number} now
   */
  hear(table, now) {
    this._table = table;
    const empty = table.hands.length === 0;
    if (this._put) {
      if (empty) this.forget();
      return false;
    }
    if (!this._taken || !empty || now - this._taken.at < PATIENCE_MS) return false;
    this.forget();
    return true;
  }

  /**
   * @param {Spot} spot
   * @param {Pieces} pieces
   * @param {number} now
   */
  grabbed(spot, pieces, now) {
    this._taken = { spot, pieces, at: now };
    this._put = null;
  }

  /**
   * @param {Spot} spot
   * @param {Pieces} pieces
   */
  released(spot, pieces) {
    this._put = { spot, pieces };
  }

  /** Go by what the table says. */
  forget() {
    this._taken = null;
    this._put = null;
  }

  /** Whether the table shows a hand that is not the one here. */
  othersHold() {
    return this._table.hands.length > 0 && !this._taken && !this._put;
  }

  /** @param {Spot} spot */
  piecesAt(spot) {
    const table = this.shown();
    if (spot.cell !== null) return table.stacks[spot.cell] ?? [];
    return table.loose.find((loose) => same(loose, spot))?.pieces ?? [];
  }

  /**
   * The table as it must be now.
   * @returns {Table}
   */
  shown() {
    const known = this._table.hands.length > 0;
    let table = this._table;
    if (this._taken && !known) table = without(table, this._taken.spot, this._taken.pieces.length);
    if (this._put) table = { ...withPieces(table, this._put.spot, this._put.pieces), hands: [] };
    return table;
  }

  /**
   * The same table while pieces that were let go are still on their last way down to a spot.
   * @param {Spot} spot
   * @param {number} count
   * @returns {Table}
   */
  shownWithout(spot, count) {
    const table = this.shown();
    const standing = spot.cell === null ? count : (table.stacks[spot.cell] ?? []).length;
    return standing < count ? table : without(table, spot, count);
  }
}

/**
 * @param {Table} table
 * @param {Spot} spot
 * @param {number} count
 * @returns {Table}
 */
function without(table, spot, count) {
  if (spot.cell === null) return { ...table, loose: table.loose.filter((loose) => !same(loose, spot)) };
  const left = (table.stacks[spot.cell] ?? []).slice(0, -count);
  return { ...table, stacks: { ...table.stacks, [spot.cell]: left } };
}

/**
 * @param {Table} table
 * @param {Spot} spot
 * @param {Pieces} pieces
 * @returns {Table}
 */
function withPieces(table, spot, pieces) {
  if (spot.cell === null) {
    /** @type {Loose[]} */
    const loose = [...table.loose, { x_mm: spot.x_mm, y_mm: spot.y_mm, pieces }];
    return { ...table, loose };
  }
  return { ...table, stacks: { ...table.stacks, [spot.cell]: [...(table.stacks[spot.cell] ?? []), ...pieces] } };
}

/**
 * @param {Point} a
 * @param {Point} b
 */
function same(a, b) {
  return Math.hypot(a.x_mm - b.x_mm, a.y_mm - b.y_mm) < 1;
}
