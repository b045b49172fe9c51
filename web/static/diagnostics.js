// The diagnostics page: how every place reads, what is wrong and what to check, and a recording to take away.

import { byId, html, say } from "./dom.js";
import { Link } from "./link.js";
import { Look } from "./look.js";
import { faultText } from "./panel.js";
import { TraceRecorder } from "./recorder.js";
import { SensorMap } from "./sensormap.js";
import { applied, emptyState } from "./state.js";
import { fetchJson, fillIn, loadLanguage, loadTexts, rememberLanguage } from "./texts.js";

/** @import { BoardInfo, Report, ServerMessage } from "./types.js" */
/** @import { Texts } from "./texts.js" */

const LISTED = 8;
const COUNTED = ["nacks", "timeouts", "bus_errors", "retries", "restarts", "hangs", "reopened"];

class Diagnostics {
  /**
   * @param {BoardInfo} info
   * @param {Texts} texts
   * @param {Record<string, string>} languages
   */
  constructor(info, texts, languages) {
    this.texts = texts;
    this.state = emptyState();
    /** @type {Report | null} */
    this.report = null;
    this.connected = false;
    this.heardAt = 0;
    this.shown = new Map();
    this.cells = new Set(info.cells.map((cell) => cell.name));
    this.look = new Look();
    this.look.offerLanguages(languages, texts.lang, (lang) => this.setLanguage(lang));
    this.map = new SensorMap(byId("map"), info, () => this.showChosen());
    this.recorder = new TraceRecorder(info.game, () => this.showRecording());
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.link = new Link(`${scheme}://${location.host}/ws`, (message) => this.hear(message), ({ connected, heardAt }) => this.setStatus(connected, heardAt));
    byId("record").addEventListener("click", () => this.recorder.toggle());
    document.addEventListener("visibilitychange", () => this.watch());
    setInterval(() => this.showStatus(), 1000);
    this.setTexts(texts);
  }

  /** Ask for what the sensors read, as long as somebody looks. */
  watch() {
    this.link.tell({ type: "watch", topics: document.hidden ? [] : ["diagnostics"] });
  }

  /** @param {ServerMessage} message */
  hear(message) {
    if (message.type === "diagnostics") {
      this.report = message;
      this.show();
      return;
    }
    const { state, gap } = applied(this.state, message);
    this.state = state;
    if (gap) this.link.sync();
    if (message.type === "refusal" && !message.id) say(byId("chosen"), this.texts.reason(message.reason));
    this.showFaults();
  }

  /**
   * @param {boolean} connected
   * @param {number} heardAt
   */
  setStatus(connected, heardAt) {
    const came = connected && !this.connected;
    this.connected = connected;
    this.heardAt = heardAt;
    if (came) this.watch();
    this.showStatus();
  }

  show() {
    const { report, texts } = this;
    if (!report) return;
    this.map.show(report, texts);
    this.showChosen();
    this.showPlaces(report);
    this.showNumbers(report);
    document.body.dataset.t = String(report.t_ms);
  }

  showChosen() {
    const { report, texts } = this;
    const k = report && this.map.chosen ? report.cells.indexOf(this.map.chosen) : -1;
    say(byId("chosen"), report && k >= 0 ? this.map.words(report, k, texts) : texts.t("diagnostics.choose"));
  }

  /** @param {Report} report */
  showPlaces(report) {
    const { texts } = this;
    const bad = report.cells.flatMap((cell, k) => (report.states[k] === "ok" ? [] : [{ code: report.states[k], where: cell, params: [] }]));
    this.once("places", [bad, texts.lang], () => {
      const items = bad.slice(0, LISTED).map((fault) => html("li", { "data-bad": fault.where }, faultText(fault, texts)));
      if (bad.length > LISTED) items.push(html("li", {}, texts.t("diagnostics.more", { n: bad.length - LISTED })));
      byId("places").replaceChildren(...(items.length ? items : [html("li", {}, texts.t("diagnostics.all_well"))]));
    });
  }

  /** What stands against other parts than places. */
  showFaults() {
    const { texts } = this;
    const faults = (this.state.view?.faults ?? []).filter((fault) => !this.cells.has(fault.where));
    this.once("faults", [faults, texts.lang], () => {
      byId("faults").replaceChildren(...faults.map((fault) => html("li", {}, faultText(fault, texts))));
      byId("fault-box").hidden = faults.length === 0;
    });
  }

  /** @param {Report} report */
  showNumbers({ status, calibrated_at }) {
    const { texts } = this;
    const number = (/** @type {number} */ value, /** @type {number} */ digits) =>
      value.toLocaleString(texts.lang, { minimumFractionDigits: digits, maximumFractionDigits: digits });
    const rows = [
      [texts.t("diagnostics.rate"), texts.t("diagnostics.rate_value", [number(status.rate_hz, 1), status.wanted_rate_hz])],
      [texts.t("diagnostics.frame"), `${number(status.frame_ms, 2)} ms`],
      [texts.t("diagnostics.scan"), texts.t("diagnostics.scan_value", [status.sensors.scan_bytes ?? 0, status.sensors.scan_transactions ?? 0])],
      ...COUNTED.map((name) => [texts.t(`diagnostics.count_${name}`), number(status.sensors[name] ?? 0, 0)]),
      [texts.t("diagnostics.journal"), texts.t("diagnostics.journal_value", [status.durable, status.entries])],
      [texts.t("diagnostics.renewals"), number(status.renewals, 0)],
      [texts.t("diagnostics.calibrated"), calibrated_at ? new Date(calibrated_at).toLocaleDateString(texts.lang) : "?"],
    ];
    this.once("numbers", rows, () => {
      const list = byId("numbers");
      if (list.children.length !== 2 * rows.length) list.replaceChildren(...rows.flatMap(() => [html("dt"), html("dd")]));
      rows.flat().forEach((text, i) => say(list.children[i], text));
    });
  }

  showRecording() {
    const { recorder, texts } = this;
    const button = byId("record");
    button.setAttribute("aria-pressed", String(recorder.running));
    say(button, texts.t(recorder.running ? "diagnostics.record_stop" : "diagnostics.record_start"));
    const link = /** @type {HTMLAnchorElement} */ (byId("download"));
    link.hidden = recorder.file === null;
    if (recorder.file) [link.href, link.download] = [recorder.file.url, recorder.file.name];
    const key = recorder.failed ? "diagnostics.record_failed" : recorder.running ? "diagnostics.recording" : "diagnostics.recorded";
    say(byId("recorded"), recorder.failed || recorder.frames ? texts.t(key, { n: recorder.frames }) : "");
  }

  showStatus() {
    const box = byId("connection");
    box.dataset.state = this.connected ? "live" : this.heardAt ? "stale" : "connecting";
    const time = new Date(this.heardAt).toLocaleTimeString(this.texts.lang);
    const key = this.connected ? "link.live" : this.heardAt ? "link.stale" : "link.connecting";
    say(byId("connection-text"), this.texts.t(key, { time }));
  }

  /**
   * Redo a part of the page only if what it shows has changed.
   * @param {string} part
   * @param {unknown} shows
   * @param {() => void} redo
   */
  once(part, shows, redo) {
    const now = JSON.stringify(shows);
    if (this.shown.get(part) === now) return;
    this.shown.set(part, now);
    redo();
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
    document.title = `Tablier – ${texts.t("diagnostics.title")}`;
    fillIn(document, texts);
    this.look.say(texts);
    this.showStatus();
    this.showRecording();
    this.showChosen();
    this.showFaults();
    this.show();
  }
}

async function start() {
  try {
    const [info, { languages, texts }] = await Promise.all([fetchJson("/api/board"), loadTexts()]);
    new Diagnostics(/** @type {BoardInfo} */ (info), texts, languages).link.open();
    document.body.classList.add("ready");
  } catch (error) {
    byId("start-error").replaceChildren(html("p", {}, String(error)));
    setTimeout(() => location.reload(), 3000);
  }
}

start();
