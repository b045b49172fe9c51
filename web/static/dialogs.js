// What is asked before something cannot be undone: a new game, giving up, offering a draw.

import { byId, html } from "./dom.js";
import { token } from "./towers.js";
import { playerName } from "./words.js";

/** @import { BoardInfo, Command, View } from "./types.js" */
/** @import { Texts } from "./texts.js" */

const dialog = () => /** @type {HTMLDialogElement} */ (byId("dialog"));

/**
 * @param {string} title
 * @param {Texts} texts
 * @param {...Node} content
 */
function open(title, texts, ...content) {
  const box = dialog();
  const cancel = html("button", { type: "button" }, texts.t("dialog.cancel"));
  cancel.addEventListener("click", () => box.close());
  const body = html("div", { class: "dialog-body" }, ...content);
  box.replaceChildren(html("h2", { id: "dialog-title" }, title), body, html("div", { class: "choices end" }, cancel));
  if (!box.open) box.showModal();
  return box;
}

/**
 * Ask which player it is, then give the command for that player.
 * @param {"resign" | "draw"} kind
 * @param {View} view
 * @param {Texts} texts
 * @param {(command: Command) => void} command
 */
export function askPlayer(kind, view, texts, command) {
  const buttons = view.player_names.map((_, player) => {
    const button = html("button", { type: "button" }, token(player), texts.t(`dialog.${kind}_player`, { player: playerName(view, player, texts) }));
    button.addEventListener("click", () => {
      dialog().close();
      command({ command: kind, player });
    });
    return button;
  });
  open(texts.t(`dialog.${kind}`), texts, html("div", { class: "choices column" }, ...buttons));
}

/**
 * Ask for the settings of a new game, starting from those of this one.
 * @param {BoardInfo} board
 * @param {View} view
 * @param {Texts} texts
 * @param {(command: Command) => void} command
 */
export function askNewGame(board, view, texts, command) {
  const form = html("form", { method: "dialog", id: "new-game" });
  for (const [name, allowed] of Object.entries(board.settings)) {
    const options = allowed.map((value) => option(board.game, name, value, view.settings[name] ?? allowed[0], texts));
    form.append(html("fieldset", {}, html("legend", {}, texts.either([`setting.${name}`], name)), ...options));
  }
  if (view.moves.length && view.phase !== "over") form.append(html("p", { class: "hint" }, texts.t("dialog.new_game_ends")));
  const start = html("button", { type: "submit", class: "main", form: "new-game" }, texts.t("dialog.new_game_start"));
  form.addEventListener("submit", () => {
    const chosen = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
    command({ command: "new_game", settings: Object.fromEntries(chosen) });
  });
  open(texts.t("dialog.new_game"), texts, form).querySelector(".end")?.append(start);
}

/**
 * @param {string} game
 * @param {string} name
 * @param {string} value
 * @param {string} chosen
 * @param {Texts} texts
 */
function option(game, name, value, chosen, texts) {
  const said = texts.either([`value.${game}.${name}.${value}`], value);
  const hint = texts.either([`hint.${game}.${name}.${value}`], "");
  const radio = html("input", { type: "radio", name, value, checked: value === chosen });
  return html("label", { class: "option" }, radio, html("span", {}, said, ...(hint ? [html("small", {}, hint)] : [])));
}
