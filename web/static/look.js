// How the page looks and sounds on this device: theme, language, sound.

import { byId, html, recall, remember, set } from "./dom.js";

/** @import { Texts } from "./texts.js" */

const THEMES = ["auto", "light", "dark"];

export class Look {
  constructor() {
    this._theme = recall("theme") ?? "auto";
    this.sound = recall("sound") !== "off";
    /** @type {AudioContext | undefined} */
    this._audio = undefined;
    /** @type {Texts | undefined} */
    this._texts = undefined;
    byId("theme").addEventListener("click", () => this._nextTheme());
    document.getElementById("sound")?.addEventListener("click", () => this._toggleSound());
    this._apply();
  }

  /** Whether the system asks to spare motion. */
  get calm() {
    return matchMedia("(prefers-reduced-motion: reduce)").matches;
  }

  /** @param {Texts} texts */
  say(texts) {
    this._texts = texts;
    const theme = texts.t("look.theme", { theme: texts.t(`theme.${this._theme}`) });
    set(byId("theme"), { "aria-label": theme, title: theme });
    const sound = texts.t("look.sound");
    const button = document.getElementById("sound");
    if (button) set(button, { "aria-label": sound, title: sound, "aria-pressed": String(this.sound) });
  }

  /**
   * The languages to choose from.
   * @param {Record<string, string>} languages
   * @param {string} current
   * @param {(lang: string) => void} choose
   */
  offerLanguages(languages, current, choose) {
    const select = /** @type {HTMLSelectElement} */ (byId("language"));
    select.replaceChildren(...Object.entries(languages).map(([tag, name]) => html("option", { value: tag, lang: tag, selected: tag === current }, name)));
    select.addEventListener("change", () => choose(select.value));
  }

  /** A refusal, for the ear: two low knocks on wood. */
  knock() {
    if (!this.sound) return;
    try {
      this._audio ??= new AudioContext();
      if (this._audio.state !== "running") return;
      for (const after of [0, 0.14]) knockAt(this._audio, this._audio.currentTime + after);
    } catch {
      // No sound on this device: light and text say it.
    }
  }

  /** Browsers let a page be heard only after somebody has touched it. */
  wakeSound() {
    this._audio ??= "AudioContext" in window ? new AudioContext() : undefined;
    if (this._audio?.state === "suspended") this._audio.resume().catch(() => {});
  }

  _nextTheme() {
    this._theme = THEMES[(THEMES.indexOf(this._theme) + 1) % THEMES.length];
    remember("theme", this._theme === "auto" ? null : this._theme);
    this._apply();
  }

  _toggleSound() {
    this.sound = !this.sound;
    remember("sound", this.sound ? null : "off");
    if (this._texts) this.say(this._texts);
  }

  _apply() {
    const root = document.documentElement;
    if (this._theme === "auto") delete root.dataset.theme;
    else root.dataset.theme = this._theme;
    if (this._texts) this.say(this._texts);
  }
}

/**
 * @param {AudioContext} audio
 * @param {number} at
 */
function knockAt(audio, at) {
  const tone = audio.createOscillator();
  const level = audio.createGain();
  tone.type = "triangle";
  tone.frequency.setValueAtTime(210, at);
  tone.frequency.exponentialRampToValueAtTime(90, at + 0.09);
  level.gain.setValueAtTime(0.25, at);
  level.gain.exponentialRampToValueAtTime(0.001, at + 0.11);
  tone.connect(level).connect(audio.destination);
  tone.start(at);
  tone.stop(at + 0.12);
}
