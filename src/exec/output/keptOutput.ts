import type { RunRequest } from '../request/runRequest.ts';
import type { OutputSink } from './outputSink.ts';
import { SecretMasker } from './secretMasker.ts';

/**
 * What keeps the output of a run: with its secrets masked, when it has any.
 * @param whole gets all of it, as it is masked
 */
export function openOutput(
  request: Pick<RunRequest, 'env' | 'secretNames' | 'outputBytesMax'>,
  whole: Whole | null = null,
): KeptOutput {
  const { env, outputBytesMax, secretNames = [] } = request;
  const values = secretNames.flatMap((name) => env[name] ?? []);
  const masker = secretNames.length === 0 ? null : new SecretMasker(values);
  return new KeptOutput(outputBytesMax, masker, whole);
}

type Whole = Pick<OutputSink, 'write'>;

/**
 * The head and the tail of a job's combined output, half of `bytesMax` each, so that memory is
 * bounded whatever a job prints. Secrets are masked before anything is kept, dropped or counted, so
 * that no half of one stands where the head ends or the tail begins, and a live look sees none.
 */
export class KeptOutput {
  readonly #headBytesMax: number;
  readonly #tailBytesMax: number;
  readonly #head: Uint8Array[] = [];
  #headBytes = 0;
  /** A ring, made when the head is full: most jobs print little or nothing. */
  #tail: Uint8Array | null = null;
  #tailNext = 0;
  #tailBytes = 0;
  #totalBytes = 0;
  readonly #masker: SecretMasker | null;
  readonly #whole: Whole | null;

  constructor(bytesMax: number, masker: SecretMasker | null = null, whole: Whole | null = null) {
    this.#masker = masker;
    this.#whole = whole;
    const bound = Math.max(0, Math.floor(bytesMax));
    this.#headBytesMax = Math.ceil(bound / 2);
    this.#tailBytesMax = bound - this.#headBytesMax;
  }

  /** Everything that the job has written, what was not kept included. */
  get totalBytes(): number {
    return this.#totalBytes;
  }

  /** Takes a copy of what it keeps, so a small piece never holds on to a large read buffer. */
  append(bytes: Uint8Array): void {
    this.#keep(this.#masker === null ? bytes : this.#masker.push(bytes));
  }

  #keep(bytes: Uint8Array): void {
    this.#totalBytes += bytes.length;
    this.#whole?.write(bytes);
    const forHead = Math.min(bytes.length, this.#headBytesMax - this.#headBytes);
    if (forHead > 0) {
      // A constructor, because `slice` of a Buffer is no copy.
      this.#head.push(new Uint8Array(bytes.subarray(0, forHead)));
      this.#headBytes += forHead;
    }
    if (forHead < bytes.length) this.#appendToTail(bytes.subarray(forHead));
  }

  /** What was kept, in a buffer of its own, with a line in the middle for what was not. */
  render(): Uint8Array {
    if (this.#masker !== null) this.#keep(this.#masker.end());
    const leftOut = this.#totalBytes - this.#headBytes - this.#tailBytes;
    const marker =
      leftOut > 0
        ? new TextEncoder().encode(`\n[statecron: ${leftOut} bytes left out]\n`)
        : new Uint8Array(0);
    const rendered = new Uint8Array(this.#headBytes + marker.length + this.#tailBytes);
    let at = 0;
    for (const piece of [...this.#head, marker, ...this.#tailInOrder()]) {
      rendered.set(piece, at);
      at += piece.length;
    }
    return rendered;
  }

  /** The last bytes of what was written, in a buffer of its own, without a gap in them. */
  end(bytesMax: number): Uint8Array {
    const isWhole = this.#headBytes + this.#tailBytes === this.#totalBytes;
    const pieces = isWhole ? [...this.#head, ...this.#tailInOrder()] : this.#tailInOrder();
    const bytes = Buffer.concat(pieces);
    return new Uint8Array(bytes.subarray(Math.max(0, bytes.length - bytesMax)));
  }

  #appendToTail(bytes: Uint8Array): void {
    const size = this.#tailBytesMax;
    if (size === 0) return;
    this.#tail ??= new Uint8Array(size);
    const kept = bytes.length > size ? bytes.subarray(bytes.length - size) : bytes;
    const untilWrap = Math.min(kept.length, size - this.#tailNext);
    this.#tail.set(kept.subarray(0, untilWrap), this.#tailNext);
    this.#tail.set(kept.subarray(untilWrap), 0);
    this.#tailNext = (this.#tailNext + kept.length) % size;
    this.#tailBytes = Math.min(size, this.#tailBytes + kept.length);
  }

  #tailInOrder(): Uint8Array[] {
    if (this.#tail === null) return [];
    if (this.#tailBytes < this.#tailBytesMax) return [this.#tail.subarray(0, this.#tailBytes)];
    return [this.#tail.subarray(this.#tailNext), this.#tail.subarray(0, this.#tailNext)];
  }
}
