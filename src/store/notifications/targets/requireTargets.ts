import { exitCodes, FieldError, OperatorError } from '../../../domain/errors/errors.ts';
import type { JobDefinition } from '../../../domain/job/jobDefinition.ts';
import type { ChannelConnection } from '../../connection/channel.ts';
import { rowOf, text } from '../../rows/row.ts';

/** Refuses a definition by its targets: `requireAllTargets`. */
export function requireTargets(
  connection: ChannelConnection,
  definition: Notifying,
): Promise<void> {
  return requireAllTargets(connection, [definition]);
}

type Notifying = Pick<JobDefinition, 'notify'>;

/**
 * Refuses definitions of which one names a target which is not there, or a ping where people are
 * meant and the other way, in the transaction that makes it a job's: nobody would ever be notified.
 * @throws OperatorError `target_missing`, `target_kind`.
 */
export async function requireAllTargets(
  connection: ChannelConnection,
  definitions: readonly Notifying[],
): Promise<void> {
  const wanted = definitions.flatMap(({ notify }) => notify ?? []);
  const names = new Set(wanted.flatMap(({ to, ping = [] }) => [...to, ...ping]));
  const targets = await connection.rowsOf(kindOfTarget, selectKinds, [...names]);
  const kinds = new Map(targets.map(({ targetName, kind }) => [targetName, kind]));
  for (const notify of wanted) requireKinds(notify, kinds);
}

function requireKinds(
  { to, ping = [] }: NonNullable<JobDefinition['notify']>,
  kinds: ReadonlyMap<string, string>,
): void {
  const names = [...to, ...ping];
  const missing = names.find((name) => !kinds.has(name));
  if (missing !== undefined)
    throw targetMissing(missing, to.includes(missing) ? 'notifyTo' : 'ping');
  const notPeople = to.find((name) => kinds.get(name) === 'ping');
  if (notPeople !== undefined) throw wrongKind('notifyTo', notPeople, 'is a ping');
  const notPing = ping.find((name) => kinds.get(name) !== 'ping');
  if (notPing !== undefined) throw wrongKind('ping', notPing, 'is no ping');
}

/** That there is no target of the name, which a field of a job has or the request is about. */
export function targetMissing(name: string, field?: TargetField): OperatorError {
  const message = `here is no notification target ${JSON.stringify(name)}`;
  const fault = {
    code: 'target_missing',
    message: `T${message}.`,
    hint: 'See those that there are: statecron notify list; or add it: statecron notify add',
    missing: name,
    exitCode: exitCodes.failed,
  };
  if (field === undefined) return new OperatorError(fault);
  return new FieldError({ ...fault, errors: [{ field, message: `t${message}` }] });
}

function wrongKind(field: TargetField, name: string, what: string): FieldError {
  const message = `the target ${JSON.stringify(name)} ${what}`;
  return new FieldError({
    ...{ code: 'target_kind', message: `${field}: ${message}.` },
    hint: 'A ping is called at each start and end; all other targets are notified.',
    errors: [{ field, message }],
    exitCode: exitCodes.failed,
  });
}

/** Where a job names targets. */
type TargetField = 'notifyTo' | 'ping';

const kindOfTarget = rowOf({ targetName: text, kind: text });
const selectKinds = `/* requireTargets */ SELECT target_name, kind FROM notice_target
  WHERE target_name IN (?)`;
