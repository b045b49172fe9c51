// Somebody else's hand over the simulated table: its picture follows where it was seen last.

/** @import { Carried } from "./types.js" */

const LAG_MS = 60;
const NEAR_MM = 0.2;

export class RemoteHand {
  constructor() {
    /** @type {Carried | null} */
    this.at = null;
  }

  /**
   * Move on towards where the hand was seen; true while it is not there yet.
   * @param {Carried | undefined} seen
   * @param {number} passed ms since the last time
   * @param {boolean} calm whether to be there at once
   */
  follow(seen, passed, calm) {
    if (!seen) {
      this.at = null;
      return false;
    }
    const part = calm ? 1 : 1 - Math.exp(-passed / LAG_MS);
    const from = this.at ?? seen;
    const step = (/** @type {number} */ a, /** @type {number} */ b) => (Math.abs(b - a) < NEAR_MM ? b : a + (b - a) * part);
    this.at = {
      pieces: seen.pieces,
      x_mm: step(from.x_mm, seen.x_mm),
      y_mm: step(from.y_mm, seen.y_mm),
      clearance_mm: step(from.clearance_mm, seen.clearance_mm),
    };
    return this.at.x_mm !== seen.x_mm || this.at.y_mm !== seen.y_mm || this.at.clearance_mm !== seen.clearance_mm;
  }
}
