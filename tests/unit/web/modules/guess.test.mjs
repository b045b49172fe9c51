import assert from "node:assert/strict";
import process from "node:process";
import test from "node:test";

const { TableGuess } = await import(`${process.env.TABLIER_STATIC}/guess.js`);

const c9 = { x_mm: 60, y_mm: 240, cell: "c9" };
const d8 = { x_mm: 90, y_mm: 210, cell: "d8" };
const aside = { x_mm: -40, y_mm: 100, cell: null };
const start = { stacks: { c9: [0], d8: [1, 0] }, loose: [], hands: [] };
const held = (pieces) => [{ x_mm: 60, y_mm: 240, clearance_mm: 6, pieces }];

function guess(table = start) {
  const made = new TableGuess();
  made.hear(table, 0);
  return made;
}

test("what is grabbed is gone at once, before the table has heard of it", () => {
  const table = guess();
  table.grabbed(c9, [0], 100);
  assert.deepEqual(table.shown().stacks, { c9: [], d8: [1, 0] });
});

test("only the top of a tower can be grabbed", () => {
  const table = guess();
  table.grabbed(d8, [0], 100);
  assert.deepEqual(table.shown().stacks.d8, [1]);
});

test("once the table knows of the grab, it is believed", () => {
  const table = guess();
  table.grabbed(c9, [0], 100);
  assert.equal(table.hear({ stacks: { d8: [1, 0] }, loose: [], hands: held([0]) }, 150), false);
  assert.deepEqual(table.shown().stacks, { d8: [1, 0] });
  assert.equal(table.othersHold(), false);
});

test("what is released stands there at once, until the table says what really happened", () => {
  const table = guess();
  table.grabbed(c9, [0], 100);
  table.hear({ stacks: { d8: [1, 0] }, loose: [], hands: held([0]) }, 150);
  table.released(d8, [0]);
  assert.deepEqual(table.shown(), { stacks: { d8: [1, 0, 0] }, loose: [], hands: [] });
  table.hear({ stacks: { d8: [1, 0] }, loose: [], hands: held([0]) }, 180);
  assert.deepEqual(table.shown().stacks.d8, [1, 0, 0], "this was said before it heard of the release");
  table.hear({ stacks: { d8: [1, 0] }, loose: [{ x_mm: 1, y_mm: 2, pieces: [0] }], hands: [] }, 200);
  assert.deepEqual(table.shown().loose, [{ x_mm: 1, y_mm: 2, pieces: [0] }], "it fell beside: that is the truth");
});

test("a grab and a release that the table hears of together never show anything twice", () => {
  const table = guess();
  table.grabbed(c9, [0], 100);
  table.released(d8, [0]);
  assert.deepEqual(table.shown().stacks, { c9: [], d8: [1, 0, 0] });
  table.hear({ stacks: { d8: [1, 0, 0] }, loose: [], hands: [] }, 140);
  assert.deepEqual(table.shown().stacks, { d8: [1, 0, 0] });
});

test("on its last way down it is not shown as standing yet", () => {
  const table = guess();
  table.grabbed(c9, [0], 100);
  table.released(d8, [0]);
  assert.deepEqual(table.shownWithout(d8, 1).stacks.d8, [1, 0]);
});

test("a hand that the table keeps showing empty is empty", () => {
  const table = guess();
  table.grabbed(c9, [0], 100);
  assert.equal(table.hear(start, 300), false, "it may not have heard of it yet");
  assert.equal(table.hear(start, 701), true);
  assert.deepEqual(table.shown().stacks.c9, [0]);
});

test("pieces beside the board are found, taken and put back", () => {
  const table = guess({ ...start, loose: [{ x_mm: -40.3, y_mm: 100.2, pieces: [1] }] });
  assert.deepEqual(table.piecesAt(aside), [1]);
  table.grabbed(aside, [1], 100);
  assert.deepEqual(table.shown().loose, []);
  table.released(aside, [1]);
  assert.deepEqual(table.shown().loose, [{ x_mm: -40, y_mm: 100, pieces: [1] }]);
  assert.deepEqual(table.piecesAt({ x_mm: 500, y_mm: 500, cell: null }), []);
});

test("a hand that is not ours is somebody else's", () => {
  const table = guess({ ...start, hands: held([0]) });
  assert.equal(table.othersHold(), true);
  table.hear(start, 10);
  assert.equal(table.othersHold(), false);
});
