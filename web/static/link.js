// The connection to the daemon: it comes back by itself, notices when it is dead, and never replays a
// backlog. What it hears goes to `onMessage`; how it fares goes to `onStatus`.

/** @import { Command, Reason, ServerMessage } from "./types.js" */

const PING_MS = 4000;
const SILENCE_MS = 9000;
const CONNECT_MS = 5000;
const ANSWER_MS = 15000;
const FIRST_WAIT_MS = 400;
const LONGEST_WAIT_MS = 8000;
const TICK_MS = 1000;

/**
 * @typedef {{connected: boolean, heardAt: number}} Status `heardAt` in ms of the wall clock
 * @typedef {{ok: true} | {ok: false, reason: Reason}} Answer
 * @typedef {{message: string, resolve: (answer: Answer) => void, timer: number}} Waiting
 */

export class Link {
  /**
   * @param {string} url
   * @param {(message: ServerMessage) => void} onMessage
   * @param {(status: Status) => void} onStatus
   */
  constructor(url, onMessage, onStatus) {
    this._url = url;
    this._onMessage = onMessage;
    this._onStatus = onStatus;
    /** @type {WebSocket | null} */
    this._socket = null;
    /** @type {Map<string, Waiting>} */
    this._waiting = new Map();
    this._failures = 0;
    this._heard = 0;
    this._heardAt = 0;
    this._pinged = 0;
    this._ticked = performance.now();
    this._retry = 0;
    this._started = 0;
  }

  /** Connect, and stay connected. */
  open() {
    this._connect();
    setInterval(() => this._tick(), TICK_MS);
    document.addEventListener("visibilitychange", () => !document.hidden && this._wake());
    window.addEventListener("pageshow", (event) => event.persisted && this._wake());
    window.addEventListener("online", () => this._wake());
  }

  /**
   * Send a command; it is sent again under the same id after a gap, and carried out once.
   * @param {Command} command
   * @returns {Promise<Answer>}
   */
  command(command) {
    const id = newId();
    const message = JSON.stringify({ type: "command", id, ...command });
    return new Promise((resolve) => {
      const timer = setTimeout(() => this._answer(id, { ok: false, reason: { code: "no_answer", params: [] } }), ANSWER_MS);
      this._waiting.set(id, { message, resolve, timer });
      this._send(message);
    });
  }

  /**
   * Send what is only worth something now; nothing happens while there is no connection.
   * @param {Record<string, unknown>} message
   */
  tell(message) {
    return this._send(JSON.stringify(message));
  }

  /** Ask for the full view. */
  sync() {
    this.tell({ type: "sync" });
  }

  /** @param {string} text */
  _send(text) {
    const ready = this._socket?.readyState === WebSocket.OPEN;
    if (ready) this._socket?.send(text);
    return ready;
  }

  _connect() {
    clearTimeout(this._retry);
    this._drop();
    const socket = new WebSocket(this._url);
    this._socket = socket;
    this._started = performance.now();
    socket.onopen = () => {
      for (const { message } of this._waiting.values()) socket.send(message);
    };
    socket.onmessage = (event) => this._hear(socket, event.data);
    socket.onclose = () => this._lost(socket);
  }

  /** Let go of the socket without waiting for its farewell, which a dead one never says. */
  _drop() {
    const socket = this._socket;
    this._socket = null;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  /** @param {WebSocket} socket */
  _lost(socket) {
    if (socket !== this._socket) return;
    this._drop();
    this._failures += 1;
    this._report(false);
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (this._failures - 1));
    this._retry = setTimeout(() => this._connect(), wait * (0.75 + Math.random() / 2));
  }

  /**
   * @param {WebSocket} socket
   * @param {unknown} data
   */
  _hear(socket, data) {
    if (socket !== this._socket || typeof data !== "string") return;
    this._heard = performance.now();
    this._heardAt = Date.now();
    const message = /** @type {ServerMessage} */ (JSON.parse(data));
    if (message.type === "view" || this._failures === 0) {
      this._failures = 0;
      this._report(true);
    }
    this._onMessage(message);
    if (message.type === "ack") this._answer(message.id, { ok: true });
    if (message.type === "refusal" && message.id) this._answer(message.id, { ok: false, reason: message.reason });
  }

  /**
   * @param {string} id
   * @param {Answer} answer
   */
  _answer(id, answer) {
    const waiting = this._waiting.get(id);
    if (!waiting) return;
    this._waiting.delete(id);
    clearTimeout(waiting.timer);
    waiting.resolve(answer);
  }

  _tick() {
    const now = performance.now();
    const slept = now - this._ticked > 5 * TICK_MS;
    this._ticked = now;
    const socket = this._socket;
    if (slept) this._wake();
    else if (socket?.readyState === WebSocket.CONNECTING && now - this._started > CONNECT_MS) this._lost(socket);
    else if (socket?.readyState === WebSocket.OPEN) {
      if (now - Math.max(this._heard, this._started) > SILENCE_MS) this._lost(socket);
      else if (now - this._pinged > PING_MS) this._ping(now);
    }
  }

  /** @param {number} now */
  _ping(now) {
    this._pinged = now;
    this.tell({ type: "ping", t: Math.round(now) });
  }

  /** Back from sleep or from the background: what stands here may be old, and the socket dead. */
  _wake() {
    const socket = this._socket;
    if (!socket || socket.readyState > WebSocket.OPEN || performance.now() - this._heard > SILENCE_MS) {
      this._connect();
    } else {
      this.sync();
      this._ping(performance.now());
    }
  }

  /** @param {boolean} connected */
  _report(connected) {
    this._onStatus({ connected, heardAt: this._heardAt });
  }
}

/** An id that nobody else uses; `crypto.randomUUID` is missing on plain HTTP. */
function newId() {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
