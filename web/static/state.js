// What the server has told, and what a message makes of it. Pure.

/** @import { BoardInfo, RefusalMessage, Rgb, ServerMessage, Table, View } from "./types.js" */

/**
 * @typedef {object} State
 * @property {number} seq -1 before the first view
 * @property {View | null} view
 * @property {string} version
 * @property {string} build
 * @property {boolean} mayControl
 * @property {Rgb[]} pixels
 * @property {Table | null} table
 */

/** @returns {State} */
export function emptyState() {
  return { seq: -1, view: null, version: "", build: "", mayControl: false, pixels: [], table: null };
}

/**
 * The state after a message. `gap` says that changes were missed and a full view must be asked for.
 * @param {State} state
 * @param {ServerMessage} message
 * @returns {{state: State, gap: boolean}}
 */
export function applied(state, message) {
  switch (message.type) {
    case "view": {
      const { version, build, seq, view } = message;
      return { state: { ...state, version, build, seq, view, mayControl: message.may_control }, gap: false };
    }
    case "refusal":
      return { state: afterRefusal(state, message), gap: false };
    case "change":
      if (!state.view || message.seq !== state.seq + 1) return { state, gap: true };
      return { state: { ...state, seq: message.seq, view: { ...state.view, ...message.changes } }, gap: false };
    case "strip":
      return { state: { ...state, pixels: message.pixels }, gap: false };
    case "table": {
      const { stacks, loose, hands, broken, script } = message;
      return { state: { ...state, table: { stacks, loose, hands, ...(broken && { broken }), ...(script && { script }) } }, gap: false };
    }
    default:
      return { state, gap: false };
  }
}

/**
 * @param {State} state
 * @param {RefusalMessage} message
 */
function afterRefusal(state, { seq, view }) {
  return state.view ? { ...state, seq, view } : state;
}

/**
 * The cells that a move's text names, in order: `c9d8` is c9 and d8.
 * @param {string} move
 * @param {BoardInfo} board
 */
export function cellsOf(move, board) {
  const names = new Set(board.cells.map((cell) => cell.name));
  return (move.match(/[a-z][1-9][0-9]?/g) ?? []).filter((name) => names.has(name));
}
