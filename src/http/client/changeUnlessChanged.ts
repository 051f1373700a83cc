import { OperatorError } from '../../domain/errors.ts';
import { isRepeatedFault } from './repeatedFault.ts';

/** Two that change the same thing in turns would go on for ever. */
const triesMax = 10;

/**
 * Reads and changes what was read; anew when somebody else changed it in between, or an earlier try
 * of the same. `isRepeated`: that may have been, its answer lost.
 * @throws what `attempt` throws.
 */
export async function changeUnlessChanged<T>(
  attempt: (isRepeated: boolean) => Promise<T>,
): Promise<T> {
  let isRepeated = false;
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt(isRepeated);
    } catch (error) {
      isRepeated ||= isRepeatedFault(error);
      if (tries >= triesMax || !isWorthALook(error)) throw error;
    }
  }
}

/** What a repeat is told when the earlier try was done after all. */
const ownDoing = new Set(['group_exists', 'group_missing']);

function isWorthALook(error: unknown): boolean {
  if (!(error instanceof OperatorError)) return false;
  if (error.code === 'revision_changed') return true;
  return isRepeatedFault(error) && ownDoing.has(error.code);
}
