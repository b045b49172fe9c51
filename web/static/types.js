// The shapes of what the server sends; only the type checker reads this file.

/**
 * @typedef {{code: string, params: (string | number)[]}} Reason
 * @typedef {{reason: Reason, cells: string[]}} Notice
 * @typedef {{player: number, move: string, display: string}} MoveView
 * @typedef {{kind: "move" | "place" | "remove", cell: string, origin: string | null,
 *   owner: number | null, height: number}} Task
 * @typedef {{termination: string, winners: number[], scores: number[]}} Outcome
 * @typedef {{code: string, where: string, params: (string | number)[]}} Fault
 * @typedef {"setup" | "play" | "fix" | "confirm" | "over"} Phase
 * @typedef {(number | null)[]} Pieces Owners, bottom first; null is a piece nobody can know.
 */

/**
 * @typedef {object} View
 * @property {string} game
 * @property {number} game_id
 * @property {Record<string, string>} settings
 * @property {string[]} player_names
 * @property {Phase} phase
 * @property {number | null} to_move
 * @property {number[]} scores
 * @property {string} position
 * @property {Record<string, Pieces>} stacks
 * @property {MoveView[]} moves
 * @property {string | null} lifted
 * @property {string[]} targets
 * @property {Record<string, string>} lights
 * @property {Notice | null} notice
 * @property {Task[]} tasks
 * @property {string[]} question
 * @property {number | null} draw_offer
 * @property {number | null} placing
 * @property {Outcome | null} outcome
 * @property {string[]} unknown
 * @property {string[]} masked
 * @property {Fault[]} faults
 * @property {Calibration | null} [calibration]
 */

/**
 * @typedef {{single_mt: number | null, noise_mt: number | null, signal_to_noise: number | null,
 *   margin: number | null, fault: string | null, other: string | null}} PlaceReport
 * @typedef {object} Calibration How far a calibration is, or how the last one ended.
 * @property {string} way
 * @property {"empty" | "single" | "set_up" | "done" | "failed"} stage
 * @property {string | null} cell
 * @property {number} done
 * @property {number} total
 * @property {string | null} hint
 * @property {string[]} cells
 * @property {Record<string, PlaceReport>} places
 */

/**
 * @typedef {{name: string, x_mm: number, y_mm: number, pixel: number}} Cell
 * @typedef {object} BoardInfo
 * @property {string} name
 * @property {string} game
 * @property {number} pitch_mm
 * @property {number} piece_mm
 * @property {number} piece_diameter_mm
 * @property {number} pixels
 * @property {Cell[]} cells
 * @property {boolean} simulated
 * @property {Record<string, string[]>} settings
 */

/**
 * @typedef {[number, number, number]} Rgb
 * @typedef {{x_mm: number, y_mm: number}} Point
 * @typedef {{x_mm: number, y_mm: number, pieces: Pieces}} Loose
 * @typedef {{x_mm: number, y_mm: number, clearance_mm: number, pieces: Pieces}} Carried
 * @typedef {{part: string, kind: string}} Broken what was broken on purpose
 * @typedef {{line: number, is_over: boolean, failure: Reason | null}} Script
 * @typedef {{stacks: Record<string, Pieces>, loose: Loose[], hands: Carried[], broken?: Broken[], script?: Script | null}} Table
 */

/**
 * @typedef {{type: "view", version: string, build: string, may_control: boolean, seq: number, view: View}} ViewMessage
 * @typedef {{type: "change", seq: number, changes: Partial<View>}} ChangeMessage
 * @typedef {{type: "strip", pixels: Rgb[]}} StripMessage
 * @typedef {{type: "table"} & Table} TableMessage
 * @typedef {{type: "ack", id: string}} AckMessage
 * @typedef {{type: "refusal", id: string | null, reason: Reason, detail?: string, seq: number, view: View}} RefusalMessage
 * @typedef {{type: "pong", t: number | null}} PongMessage
 * @typedef {{type: "diagnostics"} & Report} DiagnosticsMessage
 * @typedef {DiagnosticsMessage | ViewMessage | ChangeMessage | StripMessage | TableMessage | AckMessage | RefusalMessage | PongMessage} ServerMessage
 */

/**
 * @typedef {{lang: string, name: string, plural_forms: number[], messages: Record<string, string | string[]>}} Catalogue
 * @typedef {{languages: Record<string, string>, suited: string}} Languages
 * @typedef {Record<string, unknown> & {command: string}} Command
 */

/**
 * How the sensors read; the columns have one entry a place.
 * @typedef {object} Report
 * @property {number} t_ms
 * @property {string} unit
 * @property {string[]} cells
 * @property {(number | null)[]} values
 * @property {(boolean | null)[]} occupied
 * @property {(number | null)[]} noise_mt
 * @property {(number | null)[]} margins_mt
 * @property {(number | null)[]} thresholds_mt
 * @property {string[]} states
 * @property {string} calibrated_at
 * @property {{rate_hz: number, wanted_rate_hz: number, frame_ms: number, renewals: number, entries: number,
 *   durable: number, sensors: Record<string, number>}} status
 */

export {};
