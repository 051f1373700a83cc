import { secretBounds, secretTexts } from '../../domain/job/secretEnv.ts';

/** What stands in an output where a secret was printed. */
export const secretMask = '***';

const mask = Buffer.from(secretMask);
const nothing = Buffer.alloc(0);

/** Bytes of the data at hand that are not to be shown. */
interface Span {
  readonly from: number;
  readonly until: number;
  /** Its mask has been given out already, with the data before. */
  readonly isEmitted: boolean;
}

interface Pattern {
  readonly bytes: Buffer;
  /** Of each prefix, the length of its longest border (Knuth, Morris and Pratt). */
  readonly borders: Int32Array;
}

/**
 * Takes secrets out of a stream of bytes, however it is cut. Of each piece it holds back only what
 * may be the beginning of a secret, so that live output comes as it is printed. Secrets that
 * overlap are masked as one.
 */
export class SecretMasker {
  readonly #patterns: readonly Pattern[];
  #carry: Buffer = nothing;
  /** So much of the carry's beginning belongs to what was masked before. */
  #coveredBytes = 0;

  /** Values so short that they stand in common words are let through, see `secretBounds`. */
  constructor(values: readonly string[]) {
    this.#patterns = secretTexts(values).map((text) => {
      const bytes = Buffer.from(text);
      return { bytes, borders: bordersOf(bytes) };
    });
  }

  /** Takes the next bytes, and gives out what is sure by now; only good until the next call. */
  push(bytes: Uint8Array): Uint8Array {
    const data = joined(this.#carry, bytes);
    return this.#pass(data, this.#spansIn(data), data.length - this.#heldBytes(data));
  }

  /** The rest. The beginning of a secret that is cut off here is masked too, unless it is short. */
  end(): Uint8Array {
    const data = this.#carry;
    const isCut = data.length >= secretBounds.valueBytesMin;
    const cut = isCut ? [{ from: 0, until: data.length, isEmitted: this.#coveredBytes > 0 }] : null;
    return this.#pass(data, cut ?? this.#spansIn(data), data.length);
  }

  #pass(data: Buffer, spans: readonly Span[], holdFrom: number): Buffer {
    const pieces: Buffer[] = [];
    let at = 0;
    for (const { from, until, isEmitted } of spans) {
      if (from >= holdFrom && !isEmitted) break;
      if (from > at) pieces.push(data.subarray(at, from));
      if (!isEmitted) pieces.push(mask);
      at = until;
    }
    if (at < holdFrom) pieces.push(data.subarray(at, holdFrom));
    this.#coveredBytes = Math.max(0, at - holdFrom);
    // A copy, since the bytes of a pipe's buffer are soon others.
    this.#carry = holdFrom < data.length ? Buffer.from(data.subarray(holdFrom)) : nothing;
    return pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);
  }

  /** All that is to be masked, in order; what overlaps is one. */
  #spansIn(data: Buffer): Span[] {
    const found: Span[] = [];
    if (this.#coveredBytes > 0) found.push({ from: 0, until: this.#coveredBytes, isEmitted: true });
    for (const pattern of this.#patterns) found.push(...spansOf(pattern, data));
    if (found.length < 2) return found;
    found.sort(
      (one, other) => one.from - other.from || Number(other.isEmitted) - Number(one.isEmitted),
    );
    const merged: Span[] = [];
    for (const span of found) {
      const last = merged.at(-1);
      if (last === undefined || span.from >= last.until) merged.push(span);
      else if (span.until > last.until) merged.splice(-1, 1, { ...last, until: span.until });
    }
    return merged;
  }

  /** The length of the longest end of the data that is the beginning of a secret. */
  #heldBytes(data: Buffer): number {
    let held = 0;
    for (const { bytes, borders } of this.#patterns) {
      let matched = 0;
      for (let at = Math.max(0, data.length - bytes.length + 1); at < data.length; at += 1) {
        while (matched > 0 && bytes[matched] !== data[at]) matched = borders[matched - 1] ?? 0;
        if (bytes[matched] === data[at]) matched += 1;
      }
      held = Math.max(held, matched);
    }
    return held;
  }
}

/** Where the secret stands; where it overlaps itself, as one. */
function spansOf({ bytes, borders }: Pattern, data: Buffer): Span[] {
  const spans: Span[] = [];
  const { length } = bytes;
  if (borders.at(-1) === 0) {
    for (let from = data.indexOf(bytes); from !== -1; from = data.indexOf(bytes, from + length)) {
      spans.push({ from, until: from + length, isEmitted: false });
    }
    return spans;
  }
  // One that begins as it ends may stand in every place: only this way is each byte looked at once.
  // For any other `indexOf` is 15 times as fast.
  let [from, until] = [0, 0];
  for (let at = 0, matched = 0; at < data.length; at += 1) {
    while (matched > 0 && bytes[matched] !== data[at]) matched = borders[matched - 1] ?? 0;
    if (bytes[matched] === data[at]) matched += 1;
    if (matched < length) continue;
    matched = borders[matched - 1] ?? 0;
    if (until > 0 && at + 1 - length >= until) spans.push({ from, until, isEmitted: false });
    if (at + 1 - length >= until) from = at + 1 - length;
    until = at + 1;
  }
  if (until > 0) spans.push({ from, until, isEmitted: false });
  return spans;
}

function bordersOf(bytes: Buffer): Int32Array {
  const borders = new Int32Array(bytes.length);
  for (let at = 1, length = 0; at < bytes.length; at += 1) {
    while (length > 0 && bytes[length] !== bytes[at]) length = borders[length - 1] ?? 0;
    if (bytes[length] === bytes[at]) length += 1;
    borders[at] = length;
  }
  return borders;
}

function joined(carry: Buffer, bytes: Uint8Array): Buffer {
  const more = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return carry.length === 0 ? more : Buffer.concat([carry, more]);
}
