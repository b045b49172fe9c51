// The light language, in words: what each light means, its colour and its rhythm.

import { html } from "./dom.js";

/** @import { Texts } from "./texts.js" */

/** @type {[string, string][]} meaning and rhythm */
const LIGHTS = [
  ["lifted", "breathing"],
  ["target", "steady"],
  ["choose", "alternating"],
  ["from", "breathing"],
  ["to", "steady"],
  ["last", "steady"],
  ["remove", "slow_blink"],
  ["place_first", "steady"],
  ["place_second", "steady"],
  ["wrong", "double_blink"],
  ["hint", "slow_pulse"],
  ["masked", "short_blink"],
];

/**
 * @param {HTMLElement} list
 * @param {Texts} texts
 */
export function showLegend(list, texts) {
  list.replaceChildren(
    ...LIGHTS.map(([meaning, rhythm]) =>
      html(
        "li",
        {},
        html("span", { class: `lamp-sample ${meaning}`, "aria-hidden": "true" }),
        html("span", {}, texts.t(`light.${meaning}`), html("small", {}, `${texts.t(`light_colour.${meaning}`)}, ${texts.t(`rhythm.${rhythm}`)}`)),
      ),
    ),
  );
}
