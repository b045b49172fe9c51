// What never changes: the plate, the field with its inlaid edge, the holes, the coordinates.

import { html, svg } from "./dom.js";

/** @import { Geometry } from "./geometry.js" */

/**
 * @param {HTMLElement} stage
 * @param {Geometry} geometry
 * @param {string} viewBox
 * @param {number} radius of a piece as drawn
 */
export function drawGround(stage, geometry, viewBox, radius) {
  const { plate, box, pitch } = geometry;
  const wood = html("div", { class: "wood", "aria-hidden": "true" });
  const share = (/** @type {number} */ part, /** @type {number} */ whole) => `${(100 * part) / whole}%`;
  wood.style.left = share(plate.x - box.x, box.width);
  wood.style.top = share(plate.y - box.y, box.height);
  wood.style.width = share(plate.width, box.width);
  wood.style.height = share(plate.height, box.height);
  const ground = svg("svg", { class: "ground", viewBox, "aria-hidden": "true" });
  ground.append(
    svg("path", { class: "field", d: geometry.outline(0.64) }),
    svg("path", { class: "inlay", d: geometry.outline(0.7) }),
  );
  for (const cell of geometry.cells) {
    const hole = svg("g", { transform: `translate(${cell.x_mm} ${-cell.y_mm})` });
    hole.append(
      svg("circle", { class: "hole-edge", r: radius * 1.13 }),
      svg("circle", { class: "hole", r: radius * 1.06 }),
      svg("circle", { class: "hole-floor", r: radius * 0.9, cy: radius * 0.1 }),
    );
    ground.append(hole);
  }
  ground.append(...coordinates(geometry, pitch));
  stage.append(wood, ground);
}

/**
 * Letters of the columns below and numbers of the rows on the left, as on a chess board.
 * @param {Geometry} geometry
 * @param {number} pitch
 */
function coordinates(geometry, pitch) {
  const { plate } = geometry;
  const columns = new Map(geometry.cells.map((cell) => [cell.name[0], cell.x_mm]));
  const rows = new Map(geometry.cells.map((cell) => [cell.name.slice(1), cell.y_mm]));
  const write = (/** @type {string} */ text, /** @type {number} */ x, /** @type {number} */ y) => {
    const label = svg("text", { class: "coordinate", x, y });
    label.textContent = text;
    return label;
  };
  const low = plate.y + plate.height - 0.16 * pitch;
  const left = plate.x + 0.16 * pitch;
  return [
    ...[...columns].map(([letter, x]) => write(letter, x, low)),
    ...[...rows].map(([number, y]) => write(number, left, -y)),
  ];
}
