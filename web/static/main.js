// Brings the parts together: what the link hears goes to the board and the panel, what people do goes
// to the link.

import { Agreed } from "./agreed.js";
import { Board } from "./board.js";
import { asLed, CalibrationPanel } from "./calibration.js";
import { askNewGame, askPlayer } from "./dialogs.js";
import { byId, html, say } from "./dom.js";
import { Hand } from "./hand.js";
import { showLegend } from "./legend.js";
import { Link } from "./link.js";
import { Look } from "./look.js";
import { Mishaps } from "./mishaps.js";
import { Panel } from "./panel.js";
import { applied, emptyState } from "./state.js";
import { fetchJson, fillIn, loadLanguage, loadTexts, rememberLanguage } from "./texts.js";
import { followKeys, followPointer } from "./touch.js";
import { cellWords, piecesWords } from "./words.js";

/** @import { BoardInfo, Command, Pieces, Reason, ServerMessage, Task, View } from "./types.js" */
/** @import { Status } from "./link.js" */
/** @import { Texts } from "./texts.js" */

const REFUSAL_SHOWN_MS = 6000;
/** By then the sensors have long seen what was tidied. */
const TIDY_SEEN_MS = 1200;
const HAND_REFUSALS = ["hand_busy", "no_table", "watching_only", "invalid_command"];

class App {
  /**
   * @param {BoardInfo} info
   * @param {Texts} texts
   * @param {Record<string, string>} languages
   */
  constructor(info, texts, languages) {
    this.info = info;
    this.texts = texts;
    this.state = emptyState();
    /** @type {Reason | null} */
    this.refusal = null;
    this.refusalTimer = 0;
    this.tidyTimer = 0;
    /** @type {string | null} */
    this.pointed = null;
    /** @type {Status} */
    this.status = { connected: false, heardAt: 0 };
    /** @type {Pieces | null} */
    this.held = null;
    this.knocked = "";

    this.look = new Look();
    this.look.offerLanguages(languages, texts.lang, (lang) => this.setLanguage(lang));
    this.board = new Board(byId("board"), info);
    this.panel = new Panel(
      info.settings,
      (command) => this.command(command),
      (move) => this.point(move),
    );
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.link = new Link(`${scheme}://${location.host}/ws`, (message) => this.hear(message), (status) => this.setStatus(status));
    this.hand = info.simulated ? this.makeHand() : null;
    this.mishaps = info.simulated ? new Mishaps(info, this.board, (message) => this.link.tell(message)) : null;
    this.calibration = new CalibrationPanel((command) => this.command(command));
    this.agreed = new Agreed(this.board, () => this.look.calm);
    this.refreshKeys = followKeys(this.board, this.hand, (shift) => this.takeCount(shift), () => this.mayPlay());
    byId("hand-tools").hidden = !info.simulated;
    byId("help").hidden = !info.simulated;
    this.listen();
    this.setTexts(texts);
  }

  makeHand() {
    const hand = new Hand(this.board, {
      tell: (message) => this.link.tell(message),
      onHold: (pieces) => this.hold(pieces),
      calm: () => this.look.calm,
    });
    followPointer(this.board, hand, (shift) => this.takeCount(shift), () => this.mayPlay());
    return hand;
  }

  listen() {
    byId("takeback").addEventListener("click", () => this.command({ command: "takeback", plies: 1 }));
    byId("in-place").addEventListener("click", () => this.command({ command: "confirm" }));
    byId("resign").addEventListener("click", () => this.ask("resign"));
    byId("draw").addEventListener("click", () => this.ask("draw"));
    byId("new").addEventListener("click", () => {
      if (this.state.view) askNewGame(this.info, this.state.view, this.texts, (command) => this.command(command));
    });
    byId("tidy").addEventListener("click", () => this.tidy());
    byId("aside").addEventListener("click", () => this.hand?.putAside());
    byId("back").addEventListener("click", () => this.hand?.putBack());
    addEventListener("pointerdown", () => this.look.wakeSound(), { capture: true });
    addEventListener("keydown", () => this.look.wakeSound(), { capture: true });
    setInterval(() => this.showStatus(), 1000);
  }

  // ------------------------------------------------------------ what is heard

  /** @param {ServerMessage} message */
  hear(message) {
    const { state, gap } = applied(this.state, message);
    const before = this.state;
    this.state = state;
    if (gap) this.link.sync();
    if (message.type === "view") this.checkBuild(message.build);
    if (message.type === "refusal" && !message.id) this.refusedHand(message.reason);
    if (state.pixels !== before.pixels) this.board.setPixels(state.pixels);
    if (state.table && state.table !== before.table) this.hand?.hear(state.table);
    if (state.view !== before.view || state.table !== before.table) this.show();
    document.body.dataset.seq = String(state.seq);
  }

  /**
   * A page of an older program must not talk to a newer one: it is loaded again, once.
   * @param {string} build
   */
  checkBuild(build) {
    const own = document.querySelector("meta[name=build]")?.getAttribute("content");
    if (own === build || sessionStorage.getItem("tablier.reloaded") === build) return;
    sessionStorage.setItem("tablier.reloaded", build);
    location.reload();
  }

  /** @param {Reason} reason */
  refusedHand(reason) {
    if (this.mishaps?.refused(reason)) return;
    if (HAND_REFUSALS.includes(reason.code)) this.hand?.drop();
    this.refuse(reason);
  }

  /** @param {Status} status */
  setStatus(status) {
    if (this.status.connected && !status.connected) this.hand?.drop();
    this.status = status;
    this.showStatus();
  }

  // ------------------------------------------------------------ what people want

  /** @param {Command} command */
  async command(command) {
    this.refuse(null);
    const answer = await this.link.command(command);
    if (!answer.ok) this.refuse(answer.reason);
  }

  /** @param {Reason | null} reason */
  refuse(reason) {
    clearTimeout(this.refusalTimer);
    this.refusal = reason;
    if (reason) {
      this.look.knock();
      this.refusalTimer = setTimeout(() => this.refuse(null), REFUSAL_SHOWN_MS);
    }
    this.show();
  }

  /** @param {"resign" | "draw"} kind */
  ask(kind) {
    if (this.state.view) askPlayer(kind, this.state.view, this.texts, (command) => this.command(command));
  }

  /** @param {string | null} move */
  point(move) {
    this.pointed = move;
    this.show();
  }

  /** Set the table up as the game stands, and vouch for it if the board does not see that by itself. */
  tidy() {
    this.hand?.drop();
    this.link.tell({ type: "hand", action: "tidy" });
    clearTimeout(this.tidyTimer);
    this.tidyTimer = setTimeout(() => {
      const phase = this.state.view?.phase;
      if (!this.held && (phase === "fix" || phase === "confirm")) this.link.command({ command: "confirm" });
    }, TIDY_SEEN_MS);
  }

  mayPlay() {
    return this.state.mayControl && this.status.connected;
  }

  /**
   * How many pieces the next lift takes; the choice holds for one lift.
   * @param {boolean} shift
   */
  takeCount(shift) {
    const chosen = /** @type {HTMLInputElement | null} */ (document.querySelector("#lift input:checked"));
    const all = /** @type {HTMLInputElement} */ (document.querySelector("#lift input[value='']"));
    const count = chosen?.value ? Number(chosen.value) : shift ? 1 : null;
    all.checked = true;
    return count;
  }

  /** @param {Pieces | null} pieces */
  hold(pieces) {
    this.held = pieces;
    this.board.root.classList.toggle("holding", pieces !== null);
    this.show();
  }

  // ------------------------------------------------------------ what is shown

  show() {
    const { table } = this.state;
    if (!this.state.view) return;
    const { texts } = this;
    const view = asLed(this.state.view);
    this.calibration.show(view, texts, this.state.mayControl);
    if (!this.hand) this.agreed.show(view);
    if (table) this.mishaps?.show(table, texts, this.state.mayControl);
    this.panel.show(view, texts, this.refusal, this.state.mayControl);
    const stacks = this.hand && table ? table.stacks : view.stacks;
    this.board.marks.show(view, this.pointed, view.phase === "confirm" ? differences(view, stacks) : []);
    this.board.setLabels(
      (cell) => cellWords(view, cell.name, stacks[cell.name] ?? [], texts),
      (pieces) => piecesWords(view, pieces, texts),
    );
    this.refreshKeys();
    this.showButtons();
    if (view.notice && JSON.stringify(view.notice) !== this.knocked) this.look.knock();
    this.knocked = view.notice ? JSON.stringify(view.notice) : "";
    say(byId("game"), texts.either([`game.${view.game}`], view.game));
    say(byId("held"), this.held ? texts.t("hand.holding", { pieces: piecesWords(view, this.held, texts) }) : "");
    document.body.dataset.phase = view.phase;
  }

  showButtons() {
    const { view, mayControl } = this.state;
    const off = (/** @type {string} */ id, /** @type {boolean} */ value) => {
      /** @type {HTMLButtonElement} */ (byId(id)).disabled = value;
    };
    const over = !view || view.phase === "over";
    off("takeback", !mayControl || !view?.moves.length);
    off("draw", !mayControl || over || view.draw_offer !== null);
    off("resign", !mayControl || over);
    off("new", !mayControl);
    off("tidy", !mayControl);
    off("aside", !this.held);
    off("back", !this.held);
    this.board.root.classList.toggle("playable", this.hand !== null && mayControl);
    byId("watching").hidden = mayControl || !view;
    byId("in-place").hidden = !mayControl || view?.phase !== "fix";
  }

  showStatus() {
    const { connected, heardAt } = this.status;
    const box = byId("connection");
    box.dataset.state = connected ? "live" : heardAt ? "stale" : "connecting";
    const time = new Date(heardAt).toLocaleTimeString(this.texts.lang);
    const key = connected ? "link.live" : heardAt ? "link.stale" : "link.connecting";
    say(byId("connection-text"), this.texts.t(key, { time }));
    document.body.classList.toggle("stale", !connected && heardAt > 0);
  }

  /** @param {string} lang */
  async setLanguage(lang) {
    rememberLanguage(lang);
    this.setTexts(await loadLanguage(lang));
  }

  /** @param {Texts} texts */
  setTexts(texts) {
    this.texts = texts;
    document.documentElement.lang = texts.lang;
    fillIn(document, texts);
    this.board.setNames(texts.t("board.name"), texts.t("board.beside"));
    this.look.say(texts);
    showLegend(byId("legend"), texts);
    this.showStatus();
    this.show();
  }
}

/**
 * What stands otherwise than it should, where the page can see it: on a simulated table.
 * @param {View} view
 * @param {Record<string, Pieces>} stacks
 * @returns {Task[]}
 */
function differences(view, stacks) {
  return [...new Set([...Object.keys(view.stacks), ...Object.keys(stacks)])].sort().flatMap((cell) => {
    const [wanted, found] = [view.stacks[cell] ?? [], stacks[cell] ?? []];
    if (wanted.join() === found.join()) return [];
    const kind = wanted.length ? "place" : "remove";
    return [{ kind, cell, origin: null, owner: wanted[wanted.length - 1] ?? null, height: wanted.length }];
  });
}

async function start() {
  try {
    const [info, { languages, texts }] = await Promise.all([fetchJson("/api/board"), loadTexts()]);
    new App(/** @type {BoardInfo} */ (info), texts, languages).link.open();
    document.body.classList.add("ready");
  } catch (error) {
    // Without texts nothing better can be said; the daemon may still be starting.
    byId("start-error").replaceChildren(html("p", {}, String(error)));
    setTimeout(() => location.reload(), 3000);
  }
}

start();
