import { describeFleet } from './fleetReport.ts';
import { fleetUsage, readFleetOptions } from './readFleetOptions.ts';
import { type OnFleetProgress, runFleet } from './runFleet.ts';

/** `npm run sim -- --fleet N`: measures; resolves to the exit code, 0: no promise was broken. */
export async function fleetCommand(args: readonly string[]): Promise<number> {
  const options = readFleetOptions(args);
  if (typeof options === 'string') {
    process.stderr.write(`${options}\n${fleetUsage}\n`);
    return 2;
  }
  const report = await runFleet(options, progressOn(process.stderr));
  const text = options.json ? JSON.stringify(report, null, 2) : describeFleet(report);
  process.stdout.write(`${text}\n`);
  return report.violations > 0 ? 1 : 0;
}

/** One line that is written over; nothing where there is no terminal. */
function progressOn(stream: NodeJS.WriteStream): OnFleetProgress {
  if (!stream.isTTY) return () => undefined;
  return ({ part, share }) =>
    stream.write(share < 1 ? `\r\x1b[K${Math.floor(share * 100)} % ${part}` : '\r\x1b[K');
}
