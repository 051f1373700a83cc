import type { JobPolicies } from '../../domain/job/jobPolicies.ts';
import { type Reason, reasons } from '../../domain/reasons/reasons.ts';

/** As what, and within which limits, bash is started. Null: as the node has it. */
export interface RunOwnership {
  /** The name of the user that it becomes, with that user's groups. */
  user: string | null;
  /** Octal digits. */
  umask: string | null;
  /** -20 to 19, absolute. */
  nice: number | null;
  /** Address space of each process, `ulimit -v`. */
  memoryBytesMax: number | null;
  /** CPU time of each process, `ulimit -t`. */
  cpuSecondsMax: number | null;
}

/**
 * At the limit of its CPU time a process gets SIGXCPU, and so much later SIGKILL: at the same limit
 * it would be killed at once, without a visible reason.
 */
const cpuGraceSeconds = 5;

/** The ownership of a job's definition; null: it has none of these fields. */
export function ownershipOf(policies: JobPolicies): RunOwnership | null {
  const { user, umask, nice, memoryBytesMax, cpuSecondsMax } = policies;
  const fields = [user, umask, nice, memoryBytesMax, cpuSecondsMax];
  if (fields.every((value) => value === undefined)) return null;
  return {
    user: user ?? null,
    umask: umask ?? null,
    nice: nice ?? null,
    memoryBytesMax: memoryBytesMax ?? null,
    cpuSecondsMax: cpuSecondsMax ?? null,
  };
}

/** What this process may start jobs as. */
export interface UserRights {
  /** The users that the operator of this node has allowed by name. */
  allowedUsers: readonly string[];
  isRoot: boolean;
  /** The way it starts processes can change users. */
  canBecome: boolean;
}

/** `canBecome`: see `UserRights`. */
export function rightsOf(allowedUsers: readonly string[], canBecome: boolean): UserRights {
  return { allowedUsers, isRoot: process.getuid?.() === 0, canBecome };
}

/**
 * Why a job may not run as its user here, or null. The command never runs as anybody else instead.
 */
export function whyNotAsUser(user: string, rights: UserRights): Reason | null {
  if (!rights.isRoot) return reasons.notRoot(user);
  if (!rights.allowedUsers.includes(user)) return reasons.userNotAllowed(user);
  return rights.canBecome ? null : reasons.userNeedsPerl(user);
}

/** All whom jobs may run as here, if there is such an account: sorted, each once. */
export function runnableUsers(rights: UserRights): string[] {
  const users = [...new Set(rights.allowedUsers)].sort();
  return users.filter((user) => whyNotAsUser(user, rights) === null);
}

/** The format at the head of `ownership.pl`; '' for null. */
export function encodeOwnership(ownership: RunOwnership | null): string {
  if (ownership === null) return '';
  const { umask, nice, memoryBytesMax, cpuSecondsMax, user } = ownership;
  const hardSeconds = cpuSecondsMax === null ? null : cpuSecondsMax + cpuGraceSeconds;
  const fields = [umask, nice, memoryBytesMax, cpuSecondsMax, hardSeconds, user];
  return fields.map((field) => field ?? '-').join(' ');
}

/**
 * The same but for the user, for machines without Perl: arguments for a bash that takes on the
 * ownership and becomes the bash of the job.
 * @param niceNow the priority that it starts with, since `nice` counts from there
 */
export function ownedByBash(
  ownership: RunOwnership,
  bashPath: string,
  args: readonly string[],
  niceNow: number,
): string[] {
  const { umask, nice, memoryBytesMax, cpuSecondsMax } = ownership;
  const kibibytes = memoryBytesMax === null ? null : Math.floor(memoryBytesMax / 1024);
  const steps = [
    ...(umask === null ? [] : [`umask ${umask}`]),
    ...(kibibytes === null ? [] : [`ulimit -v ${kibibytes}`]),
    ...(cpuSecondsMax === null
      ? []
      : [`ulimit -St ${cpuSecondsMax}`, `ulimit -Ht ${cpuSecondsMax + cpuGraceSeconds}`]),
  ];
  // Each bash before the last has the path of bash for its $0.
  const become = 'exec -a bash "$0" "$@"';
  const last =
    nice === null ? become : `exec nice -n ${nice - niceNow} "$0" -c '${become}' "$0" "$@"`;
  return ['-c', `${[...steps, last].join(' && ')}; exit 126`, bashPath, ...args];
}
