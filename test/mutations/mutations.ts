import { fenceMutations } from './fenceMutations.ts';
import { guardMutations } from './guardMutations.ts';
import { lifecycleMutations } from './lifecycleMutations.ts';
import { lockMutations } from './lockMutations.ts';
import type { Mutation } from './mutation.ts';
import { notificationMutations } from './notificationMutations.ts';
import { outageMutations } from './outageMutations.ts';
import { policyMutations } from './policyMutations.ts';
import { requestMutations } from './requestMutations.ts';
import { scenarioMutations } from './scenarioMutations.ts';
import { tickMutations } from './tickMutations.ts';

/** Every mutation, in the order of the promises. */
export const mutations: readonly Mutation[] = [
  ...lockMutations,
  ...lifecycleMutations,
  ...fenceMutations,
  ...tickMutations,
  ...policyMutations,
  ...scenarioMutations,
  ...outageMutations,
  ...guardMutations,
  ...requestMutations,
  ...notificationMutations,
].sort((a, b) => Number(a.promise.slice(1)) - Number(b.promise.slice(1)));
