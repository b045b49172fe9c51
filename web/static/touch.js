// Pointer, finger and keys on the board: drag, or tap and tap, or arrows and Enter.

/** @import { Board } from "./board.js" */
/** @import { Hand } from "./hand.js" */
/** @import { Point } from "./types.js" */

const DRAG_PX = 7;
/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/**
 * Let a pointer lift, drag and set down.
 * @param {Board} board
 * @param {Hand} hand
 * @param {(shift: boolean) => number | null} takeCount how many pieces the next lift takes; null: all
 * @param {() => boolean} mayPlay
 */
export function followPointer(board, hand, takeCount, mayPlay) {
  const root = board.root;
  /** @type {{id: number, x: number, y: number, offset: Point, grabbed: boolean, dragging: boolean} | null} */
  let touch = null;

  root.addEventListener("pointerdown", (event) => {
    if (touch || event.button !== 0 || !mayPlay()) return;
    const at = board.toMm(event.clientX, event.clientY);
    const place = event.target instanceof Element ? event.target.closest(".place") : null;
    hand.finish();
    let offset = { x_mm: 0, y_mm: 0 };
    let grabbed = false;
    place?.classList.add("touched");
    if (!hand.holding && place) {
      const spot = board.pointOf(place);
      grabbed = hand.grab(spot, takeCount(event.shiftKey), false);
      offset = { x_mm: spot.x_mm - at.x_mm, y_mm: spot.y_mm - at.y_mm };
    }
    if (!grabbed && !hand.holding) return untouch(board);
    touch = { id: event.pointerId, x: event.clientX, y: event.clientY, offset, grabbed, dragging: false };
    root.setPointerCapture(event.pointerId);
    if (event.pointerType !== "mouse") event.preventDefault();
  });

  root.addEventListener("pointermove", (event) => {
    if (touch?.id !== event.pointerId) return;
    const far = Math.hypot(event.clientX - touch.x, event.clientY - touch.y) > DRAG_PX;
    if (far) touch.dragging = true;
    if (!touch.dragging || !touch.grabbed) return;
    const at = board.toMm(event.clientX, event.clientY);
    hand.drag({ x_mm: at.x_mm + touch.offset.x_mm, y_mm: at.y_mm + touch.offset.y_mm });
  });

  root.addEventListener("pointerup", (event) => {
    if (touch?.id !== event.pointerId) return;
    const { grabbed, dragging } = touch;
    touch = null;
    untouch(board);
    if (grabbed && dragging) hand.release();
    else if (grabbed) hand.raise();
    else hand.carryTo(pointed(board, event));
  });

  root.addEventListener("pointercancel", (event) => {
    if (touch?.id !== event.pointerId) return;
    touch = null;
    untouch(board);
    hand.putBack();
  });

  // Where touch-action is not heeded inside a picture, a drag would scroll the page.
  root.addEventListener("touchmove", (event) => touch && event.preventDefault(), { passive: false });
  // Nothing is animated in a hidden page: what is on its way arrives at once.
  document.addEventListener("visibilitychange", () => document.hidden && hand.finish());
}

/**
 * No finger is on any place any more: those that are gone can go.
 * @param {Board} board
 */
function untouch(board) {
  for (const place of board.root.querySelectorAll(".touched")) {
    place.classList.remove("touched");
    if (place.classList.contains("gone")) place.remove();
  }
}

/**
 * Where a tap aims: at the place it hits, seen towers included, or at the bare table.
 * @param {Board} board
 * @param {PointerEvent} event
 */
function pointed(board, event) {
  const hit = document.elementFromPoint(event.clientX, event.clientY)?.closest(".place[data-cell]");
  return hit ? board.pointOf(hit) : board.toMm(event.clientX, event.clientY);
}

/**
 * One place at a time can be reached by Tab; arrows go on from there.
 * @param {Board} board
 * @param {Hand | null} hand null where there is no simulated table
 * @param {(shift: boolean) => number | null} takeCount
 * @param {() => boolean} mayPlay
 * @returns {() => void} to be called after places came or went
 */
export function followKeys(board, hand, takeCount, mayPlay) {
  const { stage } = board;
  let at = board.pointOf(board.places()[0]);

  const nearest = () => {
    const places = board.places();
    const distance = (/** @type {SVGGElement} */ place) => {
      const point = board.pointOf(place);
      return Math.hypot(point.x_mm - at.x_mm, point.y_mm - at.y_mm);
    };
    return places.reduce((a, b) => (distance(b) < distance(a) ? b : a));
  };
  const refresh = () => {
    const chosen = nearest();
    for (const place of board.places()) {
      const index = place === chosen ? "0" : "-1";
      if (place.getAttribute("tabindex") !== index) place.setAttribute("tabindex", index);
    }
  };

  // On the stage, not on the picture: Chromium lets an SVG with focus listeners take the focus itself.
  stage.addEventListener("focusin", (event) => {
    const place = event.target instanceof Element ? event.target.closest(".place") : null;
    if (!place) return;
    at = board.pointOf(place);
    refresh();
  });

  stage.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const place = event.target instanceof Element ? event.target.closest(".place") : null;
    if (place && pressed(board, hand, place, event, takeCount, mayPlay)) event.preventDefault();
  });
  refresh();
  return refresh;
}

/**
 * Do what a key means on a place; false if it means nothing.
 * @param {Board} board
 * @param {Hand | null} hand
 * @param {Element} place
 * @param {KeyboardEvent} event
 * @param {(shift: boolean) => number | null} takeCount
 * @param {() => boolean} mayPlay
 */
function pressed(board, hand, place, event, takeCount, mayPlay) {
  const here = board.pointOf(place);
  const arrow = ARROWS[event.key];
  if (arrow) {
    const places = board.places().map((element) => ({ element, ...board.pointOf(element) }));
    board.geometry.next(places, here, ...arrow)?.element.focus();
    return true;
  }
  if (!hand || !mayPlay()) return false;
  switch (event.key) {
    case "Enter":
    case " ":
      hand.finish();
      if (hand.holding) hand.carryTo(here);
      else hand.grab(here, takeCount(event.shiftKey), true);
      return true;
    case "Escape":
      hand.putBack();
      return true;
    case "Delete":
    case "Backspace":
      hand.putAside();
      return true;
    default:
      return false;
  }
}
