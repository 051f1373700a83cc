import type { JobPolicies } from '../jobPolicies.ts';

type ExecutionField =
  | 'user'
  | 'umask'
  | 'nice'
  | 'memoryBytesMax'
  | 'cpuSecondsMax'
  | 'keepDays'
  | 'keepRuns';

/** What is wrong with what a job says of its processes and of its history, and in which field. */
interface ExecutionFault {
  readonly field: ExecutionField;
  readonly message: string;
}

/**
 * The least of memory is what bash needs to start with the libraries and locales of any machine;
 * the most is where a Number is still exact.
 */
export const executionBounds = {
  userCharactersMax: 32,
  niceMin: -20,
  niceMax: 19,
  memoryBytesMin: 32 * 1024 * 1024,
  memoryBytesMax: 2 ** 52,
  cpuSecondsMax: 366 * 24 * 3_600,
  keepDaysMax: 36_500,
  keepRunsMax: 10_000_000,
} as const;

/** Everything that is wrong with how a job wants to be executed and kept. */
export function checkExecution(policies: JobPolicies): ExecutionFault[] {
  const { user, umask, nice, memoryBytesMax, cpuSecondsMax, keepDays, keepRuns } = policies;
  const bounds = executionBounds;
  const fault = (field: ExecutionField, message: string | null): ExecutionFault[] =>
    message === null ? [] : [{ field, message }];
  return [
    ...(user === undefined ? [] : fault('user', checkUserName(user))),
    ...(umask === undefined ? [] : fault('umask', checkUmask(umask))),
    ...fault('nice', checkWhole(nice, bounds.niceMin, bounds.niceMax, '')),
    ...fault(
      'memoryBytesMax',
      checkWhole(memoryBytesMax, bounds.memoryBytesMin, bounds.memoryBytesMax, ' bytes'),
    ),
    ...fault('cpuSecondsMax', checkWhole(cpuSecondsMax, 1, bounds.cpuSecondsMax, ' seconds')),
    ...fault('keepDays', checkWhole(keepDays, 1, bounds.keepDaysMax, ' days')),
    ...fault('keepRuns', checkWhole(keepRuns, 1, bounds.keepRunsMax, '')),
  ];
}

/**
 * What is wrong with the name of a user, or null. Names as `useradd` makes them: nothing that a
 * program could take for an option, for a number, or for two names.
 */
export function checkUserName(name: unknown): string | null {
  if (typeof name !== 'string' || name === '') return 'is no name of a user';
  if (name.length > executionBounds.userCharactersMax) {
    return `has ${name.length} characters; ${executionBounds.userCharactersMax} are allowed`;
  }
  if (/^[A-Za-z_][A-Za-z0-9_.-]*\$?$/.test(name)) return null;
  return `is ${JSON.stringify(name)}: letters, digits and _ . - only, a letter or _ first`;
}

function checkUmask(umask: unknown): string | null {
  if (typeof umask === 'string' && /^0?[0-7]{3}$/.test(umask)) return null;
  return `is ${JSON.stringify(umask)}; three octal digits are wanted, such as 027`;
}

function checkWhole(value: unknown, least: number, most: number, unit: string): string | null {
  if (value === undefined) return null;
  const fits = Number.isInteger(value) && (value as number) >= least && (value as number) <= most;
  return fits ? null : `is ${String(value)}${unit}; ${least} to ${most} are allowed`;
}
