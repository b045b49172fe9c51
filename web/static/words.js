// The sentences that tell how the game stands. Pure: a view and the texts in, words out.

/** @import { Cell, Pieces, Task, View } from "./types.js" */
/** @import { Texts } from "./texts.js" */

/** @typedef {{headline: string, detail: string}} Status */

/**
 * @param {View} view
 * @param {number | null} player
 * @param {Texts} texts
 */
export function playerName(view, player, texts) {
  const code = player === null ? "unknown" : (view.player_names[player] ?? "unknown");
  return texts.either([`player.${code}`], code);
}

/**
 * @param {View} view
 * @param {number | null} owner
 * @param {Texts} texts
 */
export function colourName(view, owner, texts) {
  const code = owner === null ? "unknown" : (view.player_names[owner] ?? "unknown");
  return texts.either([`colour.${code}`], code);
}

/**
 * What is going on, in a few words and one sentence more.
 * @param {View} view
 * @param {Texts} texts
 * @returns {Status}
 */
export function statusOf(view, texts) {
  switch (view.phase) {
    case "over":
      return resultOf(view, texts);
    case "setup":
      return setupOf(view, texts);
    case "fix":
      return { headline: texts.t("status.fix"), detail: tasksOf(view, texts) };
    case "confirm":
      return { headline: texts.t("status.confirm"), detail: texts.t("status.confirm_detail") };
    default:
      return turnOf(view, texts);
  }
}

/**
 * @param {View} view
 * @param {Texts} texts
 * @returns {Status}
 */
function turnOf(view, texts) {
  const player = playerName(view, view.to_move, texts);
  if (view.placing !== null) {
    const colour = colourName(view, view.placing, texts);
    return { headline: texts.t("status.place", { player }), detail: texts.t("status.place_detail", { colour }) };
  }
  const headline = texts.t("status.turn", { player });
  if (view.tasks.length) return { headline, detail: tasksOf(view, texts) };
  if (view.lifted === null) return { headline, detail: "" };
  const key = view.targets.length ? "status.lifted" : "status.lifted_stuck";
  return { headline, detail: texts.t(key, { cell: view.lifted, n: view.targets.length }) };
}

/**
 * @param {View} view
 * @param {Texts} texts
 * @returns {Status}
 */
function setupOf(view, texts) {
  const missing = view.tasks.filter((task) => task.kind === "place").length;
  const extra = view.tasks.filter((task) => task.kind === "remove").length;
  const parts = [];
  if (missing) parts.push(texts.t("status.missing", { n: missing }));
  if (extra) parts.push(texts.t("status.extra", { n: extra }));
  const only = view.tasks.length === 1 ? taskText(view, view.tasks[0], texts) : parts.join(" ");
  return { headline: texts.t("status.setup"), detail: only || texts.t("status.setup_detail") };
}

/**
 * @param {View} view
 * @param {Texts} texts
 * @returns {Status}
 */
function resultOf(view, texts) {
  const outcome = view.outcome;
  if (!outcome) return { headline: texts.t("status.over"), detail: "" };
  const { winners, scores, termination } = outcome;
  const name = (/** @type {number} */ player) => playerName(view, player, texts);
  const headline =
    winners.length === 1
      ? texts.t("status.win", { player: name(winners[0]) })
      : texts.t(winners.length ? "status.draw" : "status.abandoned");
  const loser = scores.map((_, player) => player).find((player) => !winners.includes(player)) ?? 0;
  const why = texts.t(`termination.${termination}`, { player: name(loser) });
  return { headline, detail: `${texts.t("status.score", { score: scores.join(" – ") })} ${why}` };
}

/**
 * What is to be put right: the first thing, and how many more there are.
 * @param {View} view
 * @param {Texts} texts
 */
export function tasksOf(view, texts) {
  const [first, ...more] = view.tasks;
  if (!first) return "";
  const said = taskText(view, first, texts);
  return more.length ? `${said} ${texts.t("task.more", { n: more.length })}` : said;
}

/**
 * @param {View} view
 * @param {Task} task
 * @param {Texts} texts
 */
export function taskText(view, task, texts) {
  const { kind, cell, owner, height } = task;
  if (kind === "move") return texts.t("task.move", { origin: task.origin ?? "?", cell, n: height });
  if (kind === "remove") return texts.t("task.remove", { cell });
  if (owner === null) return texts.t("task.place_any", { cell });
  const colour = colourName(view, owner, texts);
  return texts.t(height > 1 ? "task.place_tower" : "task.place", { cell, colour, height });
}

/**
 * A place in words: what stands there, and what its light means.
 * @param {View} view
 * @param {string} cell
 * @param {Pieces} pieces
 * @param {Texts} texts
 */
export function cellWords(view, cell, pieces, texts) {
  const said = [pieces.length ? `${cell}: ${piecesWords(view, pieces, texts)}` : texts.t("cell.empty", { cell })];
  const light = view.lights[cell];
  if (light) said.push(texts.either([`light.${light}`], light));
  if (view.masked.includes(cell)) said.push(texts.t("cell.masked"));
  else if (view.unknown.includes(cell)) said.push(texts.t("cell.unknown"));
  return said.join(", ");
}

/**
 * @param {View} view
 * @param {Pieces} pieces
 * @param {Texts} texts
 */
export function piecesWords(view, pieces, texts) {
  const colour = colourName(view, pieces[pieces.length - 1], texts);
  return texts.t("cell.tower", { n: pieces.length, colour });
}
