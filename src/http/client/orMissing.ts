import { OperatorError } from '../../domain/errors/errors.ts';

/** What is read, or null when the answer is that there is none. */
export async function orMissing<T>(code: string, read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof OperatorError && error.code === code) return null;
    throw error;
  }
}
