import { checkGroupName } from '../../domain/job/fieldTable/checkNames.ts';
import { maySeeGroup } from '../authentication/api.ts';
import type { limitContract } from '../contract/groupContract.ts';
import { limitView } from '../views/groupView.ts';
import type { Handlers } from './handling/addRoutes.ts';
import { badField } from './handling/badField.ts';

export const limitRoutes: Handlers<typeof limitContract> = {
  'GET /limits': async (_, c) => {
    const limits = await c.var.operate((operator) => operator.listLimits());
    const seen = limits.filter(({ group }) => maySeeGroup(c.var.caller, group));
    return { items: seen.map(limitView) };
  },
  'PUT /limits/{group}': async ({ group, max }, c) => {
    requireLimitable(group);
    const changed = await c.var.operate((operator) => operator.changeLimit(group, max));
    return { group, max, changed };
  },
  'DELETE /limits/{group}': async ({ group }, c) => {
    requireLimitable(group);
    const changed = await c.var.operate((operator) => operator.changeLimit(group, null));
    return { group, max: null, changed };
  },
};

function requireLimitable(group: string): void {
  const fault = checkGroupName(group);
  if (fault !== null) throw badField('group', fault);
  if (group === 'default') throw badField('group', 'jobs without a group have no limit together');
}
