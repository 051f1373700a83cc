import { checkUserName } from './checkNames.ts';
import { rowsWith, under } from './field.ts';

const base = rowsWith({ format: 1, checkedBy: 'nobody' });
const { count, duration, size, text } = rowsWith({ format: 3 });

const mebibyte = 1024 * 1024;
/** So much output of a run may be kept, at most. */
export const outputBytesMax = 8 * mebibyte;

const noLimit = { without: 'no limit' } as const;
const ofNode = { without: "the node's" } as const;

/** How the processes of a job run and end. */
export const processFields = under('Its process:', {
  timeout: base.duration('timeoutMs', 'stop a run after this long, e.g. 30s (never)', {
    default: null,
    without: 'no limit',
  }),
  grace: base.duration('graceMs', 'time between SIGTERM and SIGKILL (5s)', {
    default: 5_000,
    least: 0,
  }),
  leftovers: rowsWith({ format: 1 }).choice(
    'leftovers',
    'what happens to processes that the shell leaves running (kill)',
    {
      default: 'kill',
      choices: {
        kill: 'they get SIGTERM, and SIGKILL after the grace',
        wait: 'the run ends when they have ended',
        leave: 'they go on',
      },
    },
  ),
  user: text('user', 'run as this user, where the node is root and allows it', {
    ...ofNode,
    value: 'name',
    check: checkUserName,
  }),
  umask: text('umask', 'file mode creation mask, e.g. 027', {
    ...ofNode,
    value: 'octal',
    check: checkUmask,
  }),
  nice: count('nice', 'scheduling priority, -20 to 19', { ...ofNode, least: -20, most: 19 }),
  /**
   * The least is what bash needs to start with the libraries and locales of any machine; the most
   * is where a Number is still exact.
   */
  memoryMax: size('memoryBytesMax', 'most address space of each of its processes, e.g. 512MiB', {
    ...noLimit,
    least: 32 * mebibyte,
    most: 2 ** 52,
    shown: 'at most {} a process',
  }),
  cpuTimeMax: duration('cpuSecondsMax', 'most CPU time, in whole seconds, of each process', {
    ...noLimit,
    seconds: true,
    least: 1,
    most: 366 * 24 * 3_600,
    shown: 'at most {} a process',
  }),
  outputMax: base.size(
    'outputBytesMax',
    'how much output is kept, of its beginning and end (64KiB)',
    {
      default: 64 * 1024,
      least: 0,
      most: outputBytesMax,
      shown: 'at most {} kept',
    },
  ),
});

function checkUmask(umask: string): string | null {
  if (/^0?[0-7]{3}$/.test(umask)) return null;
  return `is ${JSON.stringify(umask)}; three octal digits are wanted, such as 027`;
}
