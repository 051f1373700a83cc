import { exitCodes, OperatorError } from '../../domain/errors.ts';

/**
 * A name as a part of a path.
 * @throws OperatorError `name_unspeakable` for names that every URL takes for a way up or nothing.
 */
export function pathPart(name: string): string {
  if (name !== '' && name !== '.' && name !== '..') return encodeURIComponent(name);
  throw new OperatorError({
    code: 'name_unspeakable',
    message: `There is no URL for what has the name ${JSON.stringify(name)}.`,
    hint: 'Ask the database itself: --database-url',
    exitCode: exitCodes.usage,
  });
}
