import { quoted } from '../checkers/report/reportData.ts';
import type { AttachOptions, FaultOptions } from './readFaultOptions.ts';

/** The command line that deals the same faults in the same order, in a folder of its own. */
export function commandOf(options: FaultOptions): string {
  const { attach, seed, engine, nodes, minutes, faults, ttlMs, multiPrimary, apiPercent } = options;
  if (attach !== undefined) return attachedCommandOf(options, attach);
  const flags = [
    `--seed ${seed} --engine ${engine} --minutes ${minutes} --nodes ${nodes}`,
    ...(faults.length === 0 ? [] : [`--faults ${quoted(faults.join(','))}`]),
    `--session-ttl ${ttlMs / 1_000}s --api ${apiPercent}`,
    ...(multiPrimary ? ['--multi-primary'] : []),
  ];
  return `npm run fault -- ${flags.join(' ')}`;
}

/** The cluster's URL, which may hold a password, is left to the environment. */
function attachedCommandOf({ faults, minutes, seed }: FaultOptions, attach: AttachOptions): string {
  const { jobsFile, operations, proxies } = attach;
  const flags = [
    `--attach --seed ${seed} --minutes ${minutes}`,
    ...(faults.length === 0 ? [] : [`--faults ${quoted(faults.join(','))}`]),
    ...(proxies.length === 0 ? [] : [`--proxies ${quoted(proxies.join(','))}`]),
    ...(jobsFile === null ? [] : [`--jobs ${quoted(jobsFile)}`]),
    `--operations ${operations.join(',') || 'none'}`,
  ];
  return `npm run fault -- ${flags.join(' ')}`;
}
