import { OperatorError } from '../../../domain/errors/errors.ts';
import type { JobDefinition } from '../../../domain/job/jobDefinition.ts';
import type { ChannelConnection } from '../../connection/channel.ts';
import { rowOf, text } from '../../rows/row.ts';

/**
 * Refuses a definition that names a target which is not there, or a ping where people are meant and
 * the other way, in the transaction that makes it the job's: nobody would ever be notified.
 * @throws OperatorError `target_missing`, `target_kind`.
 */
export async function requireTargets(
  connection: ChannelConnection,
  { notify }: Pick<JobDefinition, 'notify'>,
): Promise<void> {
  if (notify === undefined) return;
  const { to, ping = [] } = notify;
  const names = [...to, ...ping];
  if (names.length === 0) return;
  const targets = await connection.rows(kindOfTarget, selectKinds, [names]);
  const kinds = new Map(targets.map(({ targetName, kind }) => [targetName, kind]));
  const missing = names.find((name) => !kinds.has(name));
  if (missing !== undefined) throw targetMissing(missing);
  const notPeople = to.find((name) => kinds.get(name) === 'ping');
  if (notPeople !== undefined) throw wrongKind(notPeople, '--notify-to', 'is a ping', '--ping');
  const notPing = ping.find((name) => kinds.get(name) !== 'ping');
  if (notPing !== undefined) throw wrongKind(notPing, '--ping', 'is no ping', '--notify-to');
}

/** That there is no target of the name. */
export function targetMissing(name: string): OperatorError {
  return new OperatorError({
    code: 'target_missing',
    message: `There is no notification target ${JSON.stringify(name)}.`,
    hint: 'See those that there are: statecron notify list; or add it: statecron notify add',
    missing: name,
  });
}

function wrongKind(name: string, flag: string, what: string, other: string): OperatorError {
  return new OperatorError({
    code: 'target_kind',
    message: `${flag}: the target ${JSON.stringify(name)} ${what}.`,
    hint: `Name it with ${other} instead.`,
  });
}

const kindOfTarget = rowOf({ targetName: text, kind: text });
const selectKinds = `/* requireTargets */ SELECT target_name, kind FROM notice_target
  WHERE target_name IN (?)`;
