import { describe } from 'node:test';
import type { Scope } from '../../support/createDatabase.ts';
import { forEachEngine } from '../../support/forEachEngine.ts';
import type { ContractWorld } from './contractWorld.ts';
import { makeEngineWorld } from './engineWorld.ts';
import { makeMemoryWorld } from './memoryWorld.ts';

export type MakeWorld = (scope: Scope) => Promise<ContractWorld>;

/**
 * Defines the same tests for the store on each engine and for the simulation's in memory: what
 * holds for one must hold for all, or the simulation would be about something else.
 */
export async function forEachStore(define: (makeWorld: MakeWorld) => void): Promise<void> {
  // First what has to be waited for: the runner takes a pause in the defining for its end.
  await forEachEngine((engine) => define((scope) => makeEngineWorld(scope, engine)));
  describe('in memory', () => define((scope) => makeMemoryWorld(scope)));
}

/** The word of a verdict, or of a batch that came to none. */
export async function verdictWord(
  asked: Promise<string | { readonly verdict: string }>,
): Promise<string> {
  const verdict = await asked;
  return typeof verdict === 'string' ? verdict : verdict.verdict;
}

/** The way to a launch's slot, as every request about it tells it. */
export function addressOf(launch: { slotId: number; stripe: number; launchId: string }) {
  const { slotId, stripe, launchId } = launch;
  return { slotId, stripe, launchId };
}
