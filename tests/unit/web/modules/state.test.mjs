import assert from "node:assert/strict";
import process from "node:process";
import test from "node:test";

const { applied, cellsOf, emptyState } = await import(`${process.env.TABLIER_STATIC}/state.js`);

const view = { scores: [1, 2], moves: [], notice: null };
const first = { type: "view", version: "1", build: "b", may_control: true, seq: 7, view };
const started = applied(emptyState(), first).state;

test("the first view sets everything", () => {
  assert.equal(started.seq, 7);
  assert.equal(started.mayControl, true);
  assert.deepEqual(started.view, view);
});

test("a change with the next number replaces the keys it names", () => {
  const { state, gap } = applied(started, { type: "change", seq: 8, changes: { scores: [3, 2] } });
  assert.equal(gap, false);
  assert.equal(state.seq, 8);
  assert.deepEqual(state.view, { ...view, scores: [3, 2] });
  assert.deepEqual(started.view, view, "the state before stays as it was");
});

for (const seq of [7, 9, 6, 100]) {
  test(`a change numbered ${seq} after 7 is a gap and changes nothing`, () => {
    const { state, gap } = applied(started, { type: "change", seq, changes: { scores: [9, 9] } });
    assert.equal(gap, true);
    assert.equal(state, started);
  });
}

test("a change before any view is a gap", () => {
  assert.equal(applied(emptyState(), { type: "change", seq: 0, changes: {} }).gap, true);
});

test("a refusal brings the whole state, and numbers go on from it", () => {
  const refusal = { type: "refusal", id: "x", reason: { code: "not_now", params: [] }, seq: 12, view: { ...view, scores: [5, 5] } };
  const { state } = applied(started, refusal);
  assert.equal(state.seq, 12);
  assert.equal(state.mayControl, true);
  assert.equal(applied(state, { type: "change", seq: 13, changes: {} }).gap, false);
});

test("strip and table are taken over, answers change nothing", () => {
  const strip = applied(started, { type: "strip", pixels: [[1, 2, 3]] }).state;
  assert.deepEqual(strip.pixels, [[1, 2, 3]]);
  const table = applied(strip, { type: "table", stacks: { a1: [0] }, loose: [], hands: [] }).state;
  assert.deepEqual(table.table, { stacks: { a1: [0] }, loose: [], hands: [] });
  assert.equal(applied(table, { type: "ack", id: "x" }).state, table);
  assert.equal(applied(table, { type: "pong", t: 1 }).state, table);
});

test("the cells of a move's text", () => {
  const board = { cells: [{ name: "c9" }, { name: "d8" }, { name: "e5" }] };
  assert.deepEqual(cellsOf("c9d8", board), ["c9", "d8"]);
  assert.deepEqual(cellsOf("Re5", board), ["e5"]);
  assert.deepEqual(cellsOf("c9z9d8", board), ["c9", "d8"]);
  assert.deepEqual(cellsOf("nothing", board), []);
});
