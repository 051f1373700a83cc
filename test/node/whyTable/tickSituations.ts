import { changeLimit } from '../../../src/store/groups/changeLimit.ts';
import { everySecond, fillQueue, type ReasonWorld } from '../reasonTable/reasonWorld.ts';
import { nothing, type Situation } from './situation.ts';

const open = (world: ReasonWorld, name: string) => world.open(name);

/** Ticks that the job's own policies, or the runs before them, keep. */
export const tickSituations: readonly Situation[] = [
  {
    title: 'still going',
    cause: async (world, name) => {
      await world.main(name, { cron: everySecond, command: world.gated(name) });
      await world.overlapped(name);
    },
    ...{ fails: 'overlap', state: 'running', release: open },
  },
  {
    title: 'one waits',
    cause: async (world, name) => {
      const words = { cron: everySecond, command: world.gated(name) };
      await world.main(name, { ...words, overlap: 'queue' });
      await world.overlapped(name);
    },
    ...{ fails: 'overlap', state: 'running', release: open },
  },
  {
    title: 'the queue is full',
    cause: async (world, name) => {
      const words = { cron: everySecond, command: world.gated(name) };
      await world.main(name, { ...words, overlap: 'queue-all' });
      await world.overlapped(name);
      await world.rows(fillQueue, [name]); // as a quarter of an hour would
    },
    ...{ fails: 'overlap', state: 'running', release: open },
  },
  {
    title: 'a later tick',
    cause: async (world, name) => {
      const words = { cron: everySecond, command: world.stubborn(name) };
      await world.main(name, { ...words, overlap: 'replace', grace: 60_000 });
      await world.ignoresSigterm(name);
      await world.overlapped(name);
    },
    ...{ fails: 'overlap', state: 'running', release: open },
  },
  {
    ...{ title: 'nobody', with: 'no node' },
    cause: (world, name) => world.missed(name, {}),
    ...{ fails: 'misfire', state: 'cannot_run' },
  },
  {
    ...{ title: 'no node at all', with: 'no node' },
    cause: (world, name) => world.missed(name, {}),
    ...{ fails: 'cluster', state: 'cannot_run' },
  },
  {
    ...{ title: 'too old', with: 'no node' },
    cause: (world, name) => world.missed(name, { misfire: 'once', catchUp: 5_000 }),
    fails: 'misfire',
  },
  {
    ...{ title: 'too late', with: 'no node' },
    cause: (world, name) => world.missed(name, { misfire: 'once', startDeadline: 5_000 }),
    fails: 'start-deadline',
  },
  {
    title: 'a full group',
    cause: async (world, name) => {
      await changeLimit(world.channel, 'narrow', 1);
      await world.main('holds', { group: 'narrow', command: world.gated('holds') });
      await world.executes('holds');
      await world.missed(name, { group: 'narrow' });
    },
    ...{ fails: 'group-limit', state: 'waiting' },
    release: async (world) => {
      // Who claims anything sees which groups are full.
      await world.runsOnce('claimed beside', {});
      await world.history('claimed beside', 1);
      world.open('holds');
    },
  },
  {
    title: 'a full node',
    cause: async (world, name) => {
      await world.main('fills', { onNode: ['poor'], command: world.gated('fills') });
      await world.executes('fills');
      await world.missed(name, { onNode: ['poor'] });
    },
    ...{ fails: 'capacity', state: 'waiting', keeps: ['poor', 'capacity'] },
    release: (world) => world.open('fills'),
  },
  {
    title: 'no tick any more',
    cause: async (world, name) => {
      await world.main(name, { cron: ['@at 2020-01-01T00:00:00Z'] });
      await world.due(name, 0);
      await world.history(name, 1);
    },
    ...{ fails: 'schedule', state: 'idle', afterwards: nothing },
  },
];
