import { exitCodes, OperatorError } from '../../../domain/errors/errors.ts';

/** The tag of a job: another one after every change of its revision, and of another job. */
export function tagOfJob({ jobId, revision }: { jobId: number; revision: number }): string {
  return `"${jobId}-${revision}"`;
}

/** What `If-Match` says: any, or one of some tags. */
export type TagCondition = '*' | readonly string[];

/**
 * Reads `If-Match`. Weak tags match nothing (RFC 9110).
 * @throws OperatorError `if_match_missing` (428).
 */
export function requireCondition(header: string | undefined): TagCondition {
  const condition = readCondition(header);
  if (condition !== null) return condition;
  throw new OperatorError({
    code: 'if_match_missing',
    message: 'The header If-Match is missing.',
    hint: 'Send the ETag of the version that you read, or * for any version.',
    exitCode: exitCodes.usage,
  });
}

/** The same where it may be left out: null. */
export function readCondition(header: string | undefined): TagCondition | null {
  if (header === undefined || header.trim() === '') return null;
  if (header.trim() === '*') return '*';
  const tags = header.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/).map((tag) => tag.trim());
  return tags.filter((tag) => /^"[^"]*"$/.test(tag));
}

/** @throws OperatorError `revision_changed` (412). */
export function requireTag(condition: TagCondition, tag: string): void {
  if (condition === '*' || condition.includes(tag)) return;
  throw revisionChanged();
}

export function revisionChanged(): OperatorError {
  return new OperatorError({
    code: 'revision_changed',
    message: 'It has been changed since it was read.',
    hint: 'Read it again, and repeat the change if it still applies.',
    exitCode: exitCodes.tryAgain,
  });
}
