// Texts for people, from the catalogue of one language.

import { recall, remember } from "./dom.js";

/** @import { Catalogue, Languages, Reason } from "./types.js" */

const LISTED = 200;

export class Texts {
  /** @param {Catalogue} catalogue */
  constructor(catalogue) {
    this.lang = catalogue.lang;
    this._messages = catalogue.messages;
    this._forms = catalogue.plural_forms;
  }

  /** @param {string} key */
  has(key) {
    return Object.hasOwn(this._messages, key);
  }

  /**
   * The text of `key`: `{0}` and `{name}` are replaced by parameters. The form of a text that depends on
   * a number is that of the parameter `n`.
   * @param {string} key
   * @param {(string | number)[] | Record<string, string | number>} [params]
   * @returns {string}
   */
  t(key, params = []) {
    const named = /** @type {Record<string, string | number>} */ (params);
    const found = this.has(key) ? this._messages[key] : key;
    const text = typeof found === "string" ? found : found[this._form(Number(named.n ?? 0))];
    return text.replace(/\{(\w+)\}/g, (whole, name) => (Object.hasOwn(named, name) ? String(named[name]) : whole));
  }

  /**
   * The first of these keys that has a text, else the last resort.
   * @param {string[]} keys
   * @param {string} otherwise
   * @param {(string | number)[]} [params]
   */
  either(keys, otherwise, params = []) {
    const key = keys.find((candidate) => this.has(candidate));
    return key === undefined ? otherwise : this.t(key, params);
  }

  /** @param {Reason} reason */
  reason(reason) {
    const spelled = reason.params.length ? `${reason.code} (${reason.params.join(", ")})` : reason.code;
    return this.either([`reason.${reason.code}`], this.t("reason.other", [spelled]), reason.params);
  }

  /** @param {number} n */
  _form(n) {
    return this._forms[n < LISTED ? n : 100 + (n % 100)] ?? 0;
  }
}

/**
 * The languages there are, and the texts of the one remembered here or else preferred by the browser.
 * @returns {Promise<{languages: Record<string, string>, texts: Texts}>}
 */
export async function loadTexts() {
  const { languages, suited } = /** @type {Languages} */ (await fetchJson("/api/catalog"));
  const chosen = recall("language");
  return { languages, texts: await loadLanguage(chosen && chosen in languages ? chosen : suited) };
}

/** @param {string} lang */
export async function loadLanguage(lang) {
  return new Texts(/** @type {Catalogue} */ (await fetchJson(`/api/catalog/${encodeURIComponent(lang)}`)));
}

/** @param {string} lang */
export function rememberLanguage(lang) {
  remember("language", lang);
}

/**
 * @param {string} path
 * @returns {Promise<unknown>}
 */
export async function fetchJson(path) {
  const answer = await fetch(path, { headers: { accept: "application/json" } });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.json();
}

/**
 * Fill in the texts of the elements that name theirs: `data-t` for the content, `data-t-label` and
 * `data-t-title` for what is read aloud or shown on pointing.
 * @param {ParentNode} root
 * @param {Texts} texts
 */
export function fillIn(root, texts) {
  for (const element of root.querySelectorAll("[data-t]")) {
    element.textContent = texts.t(element.getAttribute("data-t") ?? "");
  }
  for (const [from, to] of [
    ["data-t-label", "aria-label"],
    ["data-t-title", "title"],
  ]) {
    for (const element of root.querySelectorAll(`[${from}]`)) {
      element.setAttribute(to, texts.t(element.getAttribute(from) ?? ""));
    }
  }
}
