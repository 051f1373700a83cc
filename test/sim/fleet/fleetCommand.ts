import { describeBacklog, describeFleet, describeSeeds, type FleetReport } from './fleetReport.ts';
import { fleetUsage, readFleetOptions } from './readFleetOptions.ts';
import { runBacklog } from './runBacklog.ts';
import { runFleet } from './runFleet.ts';
import { runFleetSeeds } from './runFleetSeeds.ts';

/** `npm run sim -- --fleet N`: measures; resolves to the exit code, 0: no promise was broken. */
export async function fleetCommand(args: readonly string[]): Promise<number> {
  const options = readFleetOptions(args);
  if (typeof options === 'string') {
    process.stderr.write(`${options}\n${fleetUsage}\n`);
    return 2;
  }
  const show = progressOn(process.stderr);
  if (options.backlog > 0) {
    const report = await runBacklog(options, ({ part, share }) => show(share, part));
    say(options.json ? json(report) : describeBacklog(report));
    return report.violations > 0 || report.started < report.backlog ? 1 : 0;
  }
  if (options.seeds > 1) {
    const reports = await runFleetSeeds(args, options, (soFar) => {
      show(soFar.length / options.seeds, `seed ${soFar.at(-1)?.seed} done`);
    });
    const violations = countViolations(reports);
    say(options.json ? json({ violations, seeds: reports }) : describeSeeds(reports));
    return violations > 0 ? 1 : 0;
  }
  const report = await runFleet(options, ({ part, share }) => show(share, part));
  say(options.json ? json(report) : describeFleet(report));
  return report.violations > 0 ? 1 : 0;
}

function countViolations(reports: readonly FleetReport[]): number {
  return reports.reduce((sum, { violations }) => sum + violations, 0);
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** One line that is written over; nothing where there is no terminal. */
function progressOn(stream: NodeJS.WriteStream): (share: number, what: string) => void {
  if (!stream.isTTY) return () => undefined;
  return (share, what) =>
    stream.write(share < 1 ? `\r\x1b[K${Math.floor(share * 100)} % ${what}` : '\r\x1b[K');
}
