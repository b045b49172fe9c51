import assert from "node:assert/strict";
import process from "node:process";
import test from "node:test";

const { Geometry } = await import(`${process.env.TABLIER_STATIC}/geometry.js`);

const cells = [];
for (let x = 0; x < 3; x++) for (let y = 0; y < 3; y++) cells.push({ name: `${"abc"[x]}${y + 1}`, x_mm: 30 * x, y_mm: 30 * y, pixel: 0 });
const board = { pitch_mm: 30, cells, simulated: true };
const geometry = new Geometry(board);

test("rows are read from the top, each from the left", () => {
  assert.deepEqual(geometry.rows().map((row) => row.map((cell) => cell.name).join(" ")), ["a3 b3 c3", "a2 b2 c2", "a1 b1 c1"]);
});

test("a point belongs to the hole it is over, as far as halfway to the next", () => {
  assert.equal(geometry.cellAt({ x_mm: 44, y_mm: 30 })?.name, "b2");
  assert.equal(geometry.cellAt({ x_mm: 46, y_mm: 30 })?.name, "c2");
  assert.equal(geometry.cellAt({ x_mm: -16, y_mm: 0 }), null);
  assert.equal(geometry.cellAt({ x_mm: 15, y_mm: 15 }), null, "between four holes");
});

test("arrows lead to the neighbour, and never back or nowhere", () => {
  const next = (name, dx, dy) => geometry.next(cells, geometry.byName.get(name), dx, dy)?.name ?? null;
  assert.equal(next("b2", 1, 0), "c2");
  assert.equal(next("b2", -1, 0), "a2");
  assert.equal(next("b2", 0, 1), "b3");
  assert.equal(next("b2", 0, -1), "b1");
  assert.equal(next("c2", 1, 0), null);
});

test("arrows cross a gap, straight ahead before aside", () => {
  const points = [{ name: "far", x_mm: 90, y_mm: 0 }, { name: "aside", x_mm: 60, y_mm: 45 }];
  assert.equal(geometry.next(points, { x_mm: 0, y_mm: 0 }, 1, 0)?.name, "far");
});

test("what is shown holds the plate, and a hand stays on it", () => {
  const { box, plate } = geometry;
  assert.ok(box.x < plate.x && box.x + box.width > plate.x + plate.width);
  const far = geometry.onTable({ x_mm: 1e6, y_mm: -1e6 });
  assert.ok(far.x_mm < box.x + box.width && -far.y_mm < box.y + box.height);
  assert.deepEqual(geometry.onTable({ x_mm: 30, y_mm: 30 }), { x_mm: 30, y_mm: 30 });
});

test("a board of real wood shows no table to put things on", () => {
  const wooden = new Geometry({ ...board, simulated: false });
  assert.ok(wooden.box.width < geometry.box.width);
  assert.deepEqual(wooden.plate, geometry.plate);
});

test("the outline goes once around all holes", () => {
  const path = geometry.outline(0.5);
  assert.match(path, /^M.*Z$/);
  assert.equal(path.match(/L/g)?.length, 4);
  assert.ok(!path.includes("NaN"));
});
