// A recording of what the sensors read, kept in this browser until it is downloaded.

const MOST_BYTES = 64 * 1024 * 1024;
const NEWLINE = 10;

export class TraceRecorder {
  /**
   * @param {string} game for the file's name
   * @param {() => void} onChange
   */
  constructor(game, onChange) {
    this._game = game;
    this._onChange = onChange;
    /** @type {AbortController | null} */
    this._stop = null;
    /** @type {Uint8Array<ArrayBuffer>[]} */
    this._chunks = [];
    this._lines = 0;
    this.failed = false;
    /** @type {{url: string, name: string} | null} what was recorded last */
    this.file = null;
  }

  get running() {
    return this._stop !== null;
  }

  /** How many lines after the header there are. */
  get frames() {
    return Math.max(0, this._lines - 1);
  }

  toggle() {
    if (this._stop) this._stop.abort();
    else this._record();
  }

  async _record() {
    this._stop = new AbortController();
    [this._chunks, this._lines, this.failed] = [[], 0, false];
    this._forget();
    this._onChange();
    try {
      const answer = await fetch("/api/recording", { method: "POST", signal: this._stop.signal });
      if (!answer.ok || !answer.body) throw new Error(String(answer.status));
      await this._take(answer.body.getReader());
    } catch {
      this.failed = !this._stop.signal.aborted; // stopping it is no failure
    }
    this._stop = null;
    this._keep();
    this._onChange();
  }

  /** @param {ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>} reader */
  async _take(reader) {
    let size = 0;
    for (;;) {
      const { done, value } = await reader.read();
      if (done || size > MOST_BYTES) break;
      size += value.length;
      this._chunks.push(value);
      this._lines += value.reduce((count, byte) => count + Number(byte === NEWLINE), 0);
      this._onChange();
    }
    this._stop?.abort();
  }

  /** Offer what came, up to the last whole line. */
  _keep() {
    let last = this._chunks.pop();
    while (last && last.lastIndexOf(NEWLINE) < 0) last = this._chunks.pop();
    if (!last) return;
    const parts = [...this._chunks, last.subarray(0, last.lastIndexOf(NEWLINE) + 1)];
    this._chunks = [];
    const time = new Date().toISOString().slice(0, 19).replaceAll(":", "").replace("T", "-");
    const url = URL.createObjectURL(new Blob(parts, { type: "application/jsonl" }));
    this.file = { url, name: `tablier-${this._game}-${time}.jsonl` };
  }

  _forget() {
    if (this.file) URL.revokeObjectURL(this.file.url);
    this.file = null;
  }
}
