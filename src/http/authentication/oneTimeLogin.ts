import { hashSecret, isSameHash, makeSecret } from '../../store/tokens/tokenText.ts';

/** Whoever has started the node clicks on its link at once; so long it is good. */
const goodMs = 10 * 60_000;
/** Nobody needs as many tries for what is in a link. */
const triesMax = 10;
const prefix = 'once_';

/** Whether a client sends what is in a link, and no token. */
export function isOfLink(text: string): boolean {
  return text.startsWith(prefix);
}

/**
 * A link that logs one browser in, on this machine alone: the code in it works once, for some
 * minutes. Only its hash is compared, and no one but the node that shows it knows it.
 */
export class OneTimeLogin {
  /** Shown to whoever started the node. */
  readonly code = `${prefix}${makeSecret()}`;
  readonly #hash = hashSecret(this.code);
  readonly #tokenId: string;
  readonly #nowMs: () => number;
  readonly #untilMs: number;
  #triesLeft = triesMax;

  /** @param tokenId whose rights the browser gets */
  constructor(tokenId: string, nowMs: () => number = () => performance.now()) {
    this.#tokenId = tokenId;
    this.#nowMs = nowMs;
    this.#untilMs = nowMs() + goodMs;
  }

  /** The token that a code stands for, once; null: it is wrong, used or too old. */
  take(code: string): string | null {
    if (this.#triesLeft === 0 || this.#nowMs() >= this.#untilMs) return null;
    const isRight = isSameHash(hashSecret(code), this.#hash);
    this.#triesLeft = isRight ? 0 : this.#triesLeft - 1;
    return isRight ? this.#tokenId : null;
  }
}
