import { OperatorError } from '../../domain/errors/errors.ts';

/** Two that change the same thing in turns would go on for ever. */
const triesMax = 10;

/**
 * Reads and changes what was read; anew when somebody else changed it in between.
 * @throws what `attempt` throws.
 */
export async function changeUnlessChanged<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      const isChanged = error instanceof OperatorError && error.code === 'revision_changed';
      if (tries >= triesMax || !isChanged) throw error;
    }
  }
}
