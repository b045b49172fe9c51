// Everything beside the board: the players, how the game stands, what is asked, the moves, the faults.

import { byId, html, say } from "./dom.js";
import { token } from "./towers.js";
import { playerName, statusOf, taskText } from "./words.js";

/** @import { Command, Fault, Reason, View } from "./types.js" */
/** @import { Texts } from "./texts.js" */

const TASKS_LISTED = 6;

export class Panel {
  /**
   * @param {Record<string, string[]>} settings all settings, the usual value first
   * @param {(command: Command) => void} command
   * @param {(move: string | null) => void} point the question's move that is pointed at
   */
  constructor(settings, command, point) {
    this._defaults = settings;
    this._command = command;
    this._point = point;
    this._shown = new Map();
  }

  /**
   * @param {View} view
   * @param {Texts} texts
   * @param {Reason | null} refusal the last command that was refused, until something else happens
   * @param {boolean} mayControl
   */
  show(view, texts, refusal, mayControl) {
    this._players(view, texts);
    this._message(view, texts, refusal);
    this._once("ask", [view.question, view.draw_offer, view.phase, view.placing, mayControl, texts.lang], () =>
      byId("ask").replaceChildren(...(mayControl ? this._ask(view, texts) : [])),
    );
    this._once("tasks", [view.tasks, view.phase, texts.lang], () => this._tasks(view, texts));
    this._once("moves", [view.moves, texts.lang], () => this._moves(view, texts));
    this._once("settings", [view.settings, texts.lang], () => say(byId("settings"), this._settings(view, texts)));
    this._once("faults", [view.faults, view.masked, texts.lang], () => this._faults(view, texts));
  }

  /**
   * Redo a part of the page only if what it shows has changed, so that focus and selection stay.
   * @param {string} part
   * @param {unknown} shows
   * @param {() => void} redo
   */
  _once(part, shows, redo) {
    const now = JSON.stringify(shows);
    if (this._shown.get(part) === now) return;
    this._shown.set(part, now);
    redo();
  }

  /**
   * @param {View} view
   * @param {Texts} texts
   */
  _players(view, texts) {
    const list = byId("players");
    if (list.children.length !== view.player_names.length) {
      list.replaceChildren(
        ...view.player_names.map((_, player) =>
          html("li", { class: "player" }, token(player), html("span", { class: "name" }), html("span", { class: "score" }), html("span", { class: "turn" })),
        ),
      );
    }
    [...list.children].forEach((card, player) => {
      const toMove = view.to_move === player;
      const won = view.outcome?.winners.length === 1 && view.outcome.winners[0] === player;
      card.classList.toggle("active", toMove || won);
      const [, name, score, turn] = card.children;
      say(name, playerName(view, player, texts));
      say(score, String(view.scores[player] ?? 0));
      score.setAttribute("aria-label", texts.t("player.score", { n: view.scores[player] ?? 0 }));
      score.setAttribute("role", "img");
      say(turn, toMove ? texts.t("player.to_move") : won ? texts.t("player.winner") : "");
    });
  }

  /**
   * @param {View} view
   * @param {Texts} texts
   * @param {Reason | null} refusal
   */
  _message(view, texts, refusal) {
    const { headline, detail } = statusOf(view, texts);
    say(byId("headline"), headline);
    say(byId("detail"), detail);
    const notice = refusal ?? view.notice?.reason ?? null;
    say(byId("notice"), notice ? texts.reason(notice) : "");
    byId("message").classList.toggle("warning", notice !== null);
  }

  /**
   * What people must answer, as buttons.
   * @param {View} view
   * @param {Texts} texts
   * @returns {Node[]}
   */
  _ask(view, texts) {
    if (view.question.length) return this._question(view, texts);
    if (view.draw_offer !== null) return this._offer(view, view.draw_offer, texts);
    if (view.phase === "confirm") {
      return [this._choices([this._button(texts.t("ask.confirm"), { command: "confirm" }, true)])];
    }
    if (view.placing !== null) return this._placing(view, view.placing, texts);
    return [];
  }

  /**
   * @param {View} view
   * @param {Texts} texts
   */
  _question(view, texts) {
    const buttons = view.question.map((move) => {
      const button = this._button(move, { command: "answer", move });
      for (const type of ["pointerenter", "focus"]) button.addEventListener(type, () => this._point(move));
      for (const type of ["pointerleave", "blur"]) button.addEventListener(type, () => this._point(null));
      return button;
    });
    return [html("p", {}, texts.t("ask.question")), this._choices(buttons)];
  }

  /**
   * @param {View} view
   * @param {number} offer
   * @param {Texts} texts
   */
  _offer(view, offer, texts) {
    const other = 1 - offer;
    const [from, to] = [playerName(view, offer, texts), playerName(view, other, texts)];
    return [
      html("p", {}, texts.t("ask.offer", { player: from })),
      this._choices([
        this._button(texts.t("ask.accept", { player: to }), { command: "draw", player: other }, true),
        this._button(texts.t("ask.decline", { player: to }), { command: "decline_draw", player: other }),
      ]),
    ];
  }

  /**
   * @param {View} view
   * @param {number} placing
   * @param {Texts} texts
   */
  _placing(view, placing, texts) {
    const buttons = view.player_names.map((_, player) => {
      const button = this._button(playerName(view, player, texts), { command: "choose", player });
      button.prepend(token(player));
      button.setAttribute("aria-pressed", String(player === placing));
      return button;
    });
    return [html("p", {}, texts.t("ask.choose")), this._choices(buttons)];
  }

  /** @param {HTMLButtonElement[]} buttons */
  _choices(buttons) {
    return html("div", { class: "choices" }, ...buttons);
  }

  /**
   * @param {string} text
   * @param {Command} command
   * @param {boolean} [main]
   */
  _button(text, command, main = false) {
    const button = html("button", { type: "button", class: main ? "main" : null }, text);
    button.addEventListener("click", () => this._command(command));
    return button;
  }

  /**
   * The list of what is missing or too much, where it is more than the message says.
   * @param {View} view
   * @param {Texts} texts
   */
  _tasks(view, texts) {
    const listed = view.tasks.length > 1 ? view.tasks.slice(0, TASKS_LISTED) : [];
    const items = listed.map((task) => html("li", {}, taskText(view, task, texts)));
    const left = view.tasks.length - listed.length;
    if (listed.length && left) items.push(html("li", {}, texts.t("task.more", { n: left })));
    byId("tasks").replaceChildren(...items);
  }

  /**
   * @param {View} view
   * @param {Texts} texts
   */
  _moves(view, texts) {
    const list = byId("moves");
    list.replaceChildren(
      ...view.moves.map((move, i) =>
        html("li", { class: i === view.moves.length - 1 ? "last" : null }, html("span", { class: "number" }, String(i + 1)), token(move.player), html("span", {}, move.display)),
      ),
    );
    list.scrollTop = list.scrollHeight;
    say(byId("move-count"), view.moves.length ? texts.t("moves.count", { n: view.moves.length }) : texts.t("moves.none"));
  }

  /**
   * The settings that are not as usual, in words.
   * @param {View} view
   * @param {Texts} texts
   */
  _settings(view, texts) {
    const unusual = Object.entries(view.settings).filter(([name, value]) => value !== this._defaults[name]?.[0]);
    const said = unusual.map(([name, value]) => {
      const [setting, chosen] = [texts.either([`setting.${name}`], name), texts.either([`value.${view.game}.${name}.${value}`], value)];
      return texts.t("setting.chosen", [setting, chosen]);
    });
    return said.join(" · ");
  }

  /**
   * @param {View} view
   * @param {Texts} texts
   */
  _faults(view, texts) {
    const said = view.faults.map((fault) => faultText(fault, texts));
    if (view.masked.length) said.push(texts.t("fault.masked_places", { cells: view.masked.join(", ") }));
    byId("faults").replaceChildren(...said.map((text) => html("li", {}, text)));
    byId("fault-box").hidden = said.length === 0;
  }
}

/**
 * @param {Fault} fault
 * @param {Texts} texts
 */
export function faultText(fault, texts) {
  const params = [fault.where, ...fault.params];
  const spelled = [fault.code, ...fault.params].join(" ");
  return texts.either([`fault.${fault.code}`], texts.t("fault.other", [fault.where, spelled]), params);
}
