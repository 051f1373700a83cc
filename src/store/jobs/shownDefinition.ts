import { exitCodes, FieldError } from '../../domain/errors/errors.ts';
import type { JobDefinition } from '../../domain/job/jobDefinition.ts';
import { hideSecrets, keepSecrets, unkeptSecrets } from '../../domain/job/secretEnv.ts';
import { jsonOf } from '../rows/row.ts';

/**
 * A stored definition as it leaves the store: without the values of its secrets. Only nodes, which
 * run it, read it whole.
 */
export const shownDefinition = jsonOf<JobDefinition>(hideSecrets);

/**
 * What an edit of the shown definition makes of the one in force: markers that it sends back keep
 * the values.
 * @throws FieldError `bad_secretEnv` (2) for a marker without a value behind it.
 */
export function editShown(
  current: JobDefinition,
  edit: (shown: JobDefinition) => JobDefinition,
): JobDefinition {
  const next = keepSecrets(edit(hideSecrets(current)), current);
  requireSecrets(next);
  return next;
}

/**
 * Refuses a definition that has a marker where a value must be.
 * @throws FieldError `bad_secretEnv` (2).
 */
export function requireSecrets(definition: JobDefinition): void {
  const [name] = unkeptSecrets(definition);
  if (name === undefined) return;
  const message = `${name} has no value yet that could be kept`;
  throw new FieldError({
    code: 'bad_secretEnv',
    message: `secretEnv: ${message}.`,
    hint: 'Give the value; what is exported has markers in place of secrets.',
    errors: [{ field: `secretEnv.${name}`, message }],
    exitCode: exitCodes.usage,
  });
}
