import type { Random } from '../world/random.ts';
import type { OperationKind, Victim } from './victim.ts';
import { commandOf, type LedgerPlace, tokenOf } from './workloadJobs.ts';

/** What the command line is given for an operation on a job. */
export function argumentsOf(
  random: Random,
  kind: OperationKind,
  victim: Victim,
  launchId: string | null,
  place: LedgerPlace,
): string[] {
  const { name } = victim;
  if (kind === 'stop') return ['run', 'stop', launchId ?? ''];
  if (kind !== 'edit' && kind !== 'add') return ['job', kind, name];
  if (kind === 'edit') victim.tokens += 1;
  const behaviour = [`ms=${random.between(50, 2_500)}`];
  const command = commandOf(place, tokenOf(name, victim.tokens), behaviour);
  const cron = `${random.between(0, 2)}/${random.between(1, 4)} * * * * *`;
  const isTimed = kind === 'add' || random.next() < 0.5;
  return ['job', kind, name, '--command', command, ...(isTimed ? ['--cron', cron] : [])];
}

/** The same in a few words, for the history. */
export function describeArguments(kind: OperationKind, args: readonly string[]): string {
  if (kind === 'stop') return args[2] ?? '';
  const at = args.indexOf('--cron');
  const schedule = at === -1 ? [] : [args[at + 1]];
  return [...(kind === 'edit' ? ['new command'] : [kind]), ...schedule].join(', ');
}
