import type { RunRequest } from '../request/runRequest.ts';
import { KeptOutput } from './keptOutput.ts';
import { SecretMasker } from './secretMasker.ts';

/** What keeps the output of a run: with its secrets masked, when it has any. */
export function openOutput(
  request: Pick<RunRequest, 'env' | 'secretNames' | 'outputBytesMax'>,
): KeptOutput {
  const { env, outputBytesMax, secretNames = [] } = request;
  if (secretNames.length === 0) return new KeptOutput(outputBytesMax);
  const values = secretNames.flatMap((name) => env[name] ?? []);
  return new MaskedOutput(outputBytesMax, new SecretMasker(values));
}

/**
 * Masked before anything is kept or dropped, so that no half of a secret stands where the head ends
 * or the tail begins, and a live look never sees one. Its bytes are counted as they are kept.
 */
class MaskedOutput extends KeptOutput {
  readonly #masker: SecretMasker;

  constructor(bytesMax: number, masker: SecretMasker) {
    super(bytesMax);
    this.#masker = masker;
  }

  override append(bytes: Uint8Array): void {
    super.append(this.#masker.push(bytes));
  }

  override render(): Uint8Array {
    super.append(this.#masker.end());
    return super.render();
  }
}
