import assert from "node:assert/strict";
import process from "node:process";
import test from "node:test";

const { Texts } = await import(`${process.env.TABLIER_STATIC}/texts.js`);
const { statusOf, tasksOf } = await import(`${process.env.TABLIER_STATIC}/words.js`);

const forms = Array.from({ length: 200 }, (_, n) => (n === 1 ? 0 : 1));
const texts = new Texts({
  lang: "en",
  name: "English",
  plural_forms: forms,
  messages: {
    "reason.too_high": "Too high: {0} + {1}",
    "reason.other": "Not possible: {0}",
    "player.red": "Red",
    "status.turn": "{player} to move",
    "status.fix": "Put it right",
    "status.lifted": ["{cell}: {n} place", "{cell}: {n} places"],
    "task.move": ["{origin} to {cell} ({n})", "{origin} to {cell} ({n}!)"],
    "task.remove": "Away: {cell}",
    "task.more": ["And {n} more.", "And {n} more."],
  },
});
const view = { player_names: ["red", "black"], phase: "play", to_move: 0, placing: null, lifted: null, targets: [], tasks: [] };

test("parameters by order and by name; what is not given stays visible", () => {
  assert.equal(texts.t("reason.too_high", [4, 2]), "Too high: 4 + 2");
  assert.equal(texts.t("status.turn", { player: "Red" }), "Red to move");
  assert.equal(texts.t("status.turn"), "{player} to move");
  assert.equal(texts.t("no.such.key"), "no.such.key");
});

test("a parameter is never taken for a pattern", () => {
  assert.equal(texts.t("reason.too_high", ["{1}", "$&"]), "Too high: {1} + $&");
});

test("forms follow the number, large ones too", () => {
  const said = [0, 1, 2, 101, 1001].map((n) => texts.t("status.lifted", { cell: "c9", n }));
  assert.deepEqual(said, ["c9: 0 places", "c9: 1 place", "c9: 2 places", "c9: 101 places", "c9: 1001 places"]);
});

test("a reason without a text of its own is still said", () => {
  assert.equal(texts.reason({ code: "too_high", params: [4, 2] }), "Too high: 4 + 2");
  assert.equal(texts.reason({ code: "bewitched", params: ["c9"] }), "Not possible: bewitched (c9)");
  assert.equal(texts.reason({ code: "toString", params: [] }), "Not possible: toString");
});

test("how the game stands", () => {
  assert.deepEqual(statusOf(view, texts), { headline: "Red to move", detail: "" });
  assert.deepEqual(statusOf({ ...view, lifted: "c9", targets: ["d9", "d8"] }, texts), { headline: "Red to move", detail: "c9: 2 places" });
  const tasks = [{ kind: "move", origin: "d8", cell: "c9", height: 1 }, { kind: "remove", cell: "e5", origin: null, height: 0 }];
  assert.equal(tasksOf({ ...view, tasks }, texts), "d8 to c9 (1) And 1 more.");
  assert.deepEqual(statusOf({ ...view, phase: "fix", tasks: tasks.slice(1) }, texts), { headline: "Put it right", detail: "Away: e5" });
});
