/** A command that a cron daemon says that it started. */
export interface CronStart {
  readonly atMs: number;
  readonly user: string;
  readonly command: string;
}

/**
 * The starts in a log of Debian's cron or of cronie: lines of syslog with either form of time, of
 * `journalctl -o short-iso`, or its JSON. Other lines are passed over. A time without a zone is
 * read in this process's zone, one without a year as the last such time before `nowMs`.
 */
export function readCronLog(text: string, nowMs: number): CronStart[] {
  return text.split('\n').flatMap((line) => {
    const read = line.startsWith('{') ? readJson(line) : readText(line, nowMs);
    const match = /^\((\S+)\) CMD \((.*)\)\s*$/.exec(read?.message ?? '');
    if (read === null || match === null || Number.isNaN(read.atMs)) return [];
    return [{ atMs: read.atMs, user: match[1] ?? '', command: (match[2] ?? '').trim() }];
  });
}

interface Read {
  readonly atMs: number;
  readonly message: string;
}

function readJson(line: string): Read | null {
  try {
    const entry = JSON.parse(line) as Record<string, unknown>;
    const { MESSAGE: message, __REALTIME_TIMESTAMP: microseconds } = entry;
    if (typeof message !== 'string' || typeof microseconds !== 'string') return null;
    return { atMs: Math.floor(Number(microseconds) / 1000), message };
  } catch {
    return null; // a line that was cut off by the rotation of the log
  }
}

function readText(line: string, nowMs: number): Read | null {
  const match = /^(\S+|\w{3} +\d+ [\d:]{8}) \S+ (?:\S*\/)?cron(?:d)?(?:\[\d+\])?: (.*)$/i.exec(
    line,
  );
  if (match === null) return null;
  const [, time = '', message = ''] = match;
  return { atMs: /^\d/.test(time) ? isoMs(time) : yearlessMs(time, nowMs), message };
}

/** `+0100` is what journalctl writes; only with a colon may it be read everywhere. */
function isoMs(time: string): number {
  return Date.parse(time.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'));
}

const dayMs = 86_400_000;

function yearlessMs(time: string, nowMs: number): number {
  const year = new Date(nowMs + dayMs).getFullYear();
  const [atMs = Number.NaN] = [year, year - 1]
    .map((each) => Date.parse(`${time.slice(0, 6)} ${each}${time.slice(6)}`))
    .filter((ms) => ms <= nowMs + dayMs);
  return atMs;
}
