import { quoted } from '../checkers/report/reportData.ts';
import type { FaultOptions } from './readFaultOptions.ts';

/** The command line that deals the same faults in the same order, in a folder of its own. */
export function commandOf(options: FaultOptions): string {
  const { seed, engine, nodes, minutes, faults, ttlMs, multiPrimary, apiPercent } = options;
  const flags = [
    `--seed ${seed} --engine ${engine} --minutes ${minutes} --nodes ${nodes}`,
    ...(faults.length === 0 ? [] : [`--faults ${quoted(faults.join(','))}`]),
    `--session-ttl ${ttlMs / 1_000}s --api ${apiPercent}`,
    ...(multiPrimary ? ['--multi-primary'] : []),
  ];
  return `npm run fault -- ${flags.join(' ')}`;
}
