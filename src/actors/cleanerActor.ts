import { fromPromise } from 'xstate';
import { cleanerMachine } from '../../statecharts/cleaner.ts';
import { type CleaningStep, historyDefaults } from '../domain/historyKeep.ts';
import type { Runtime } from './runtime.ts';

/** The cleaner's chart with its effect: one step of cleaning by what this node was told to keep. */
export function provideCleaner({ reports, settings, store }: Runtime) {
  const keep = settings.keep ?? historyDefaults;
  return cleanerMachine.provide({
    actors: {
      cleanHistory: fromPromise<CleaningStep>(() => store.cleanHistory(keep)),
    },
    actions: {
      reportTrouble: (_, { error }) => reports.trouble('the cleaning of the history', error),
    },
  });
}
