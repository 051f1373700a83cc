import type { WeekWorld } from './weekWorld.ts';

/** What a command of `docs/operations.md` shows, in the world of `weekWorld.ts`. */
export interface WeekRow {
  readonly command: string;
  /** What is so when somebody comes to give the command. */
  readonly before?: (world: WeekWorld) => Promise<void> | void;
  /** What happens as soon as it has said something. */
  readonly meanwhile?: (world: WeekWorld) => void;
  /** It asks first, and is answered yes. */
  readonly asks?: true;
  /** What stands in its output, or where it has none in what it says of it. */
  readonly shows: RegExp;
}

/** Every command of the tables of `docs/operations.md`, in their order, as it is printed. */
export const weekRows: readonly WeekRow[] = [
  // Look
  { command: 'statecron runs --running', before: (week) => week.begin(), shows: /backup +running/ },
  { command: 'statecron upcoming --within 1h', shows: /site/ },
  {
    command: 'statecron job show backup --timezone Asia/Tokyo',
    shows: /^next +\S+ \S+ \+09:00 \(in /m,
  },
  {
    command: 'statecron runs --failed --since 12h',
    before: async (week) => {
      week.release();
      await week.settle();
    },
    shows: /backup .*failed \(exit 3\)/,
  },
  { command: 'statecron runs --failed --result stopped --since 12h', shows: /backup/ },
  { command: 'statecron job list --failed', shows: /backup/ },
  { command: 'statecron job list --stats', shows: /backup/ },
  { command: 'statecron job why backup', shows: /It runs next at/ },
  { command: 'statecron job log backup', shows: /^copying: changes\nno space left on device$/m },
  {
    command: 'statecron job log -f backup',
    before: async (week) => {
      week.setDisk('free');
      await week.begin();
    },
    meanwhile: (week) => week.release(),
    shows: /^copying: changes\ncopied$/m,
  },
  { command: 'statecron audit --since 1d', shows: /job\.add +site/ },
  { command: 'statecron audit --job backup', shows: /job\.edit +backup/ },
  { command: 'statecron job diff backup', shows: /timeout/ },
  { command: 'statecron cluster', shows: /web1/ },
  { command: 'statecron verify --since 1d', shows: /No promise is broken/ },
  // Act on one job
  { command: 'statecron job run backup --wait', shows: /copied/ },
  { command: 'statecron run retry NUMBER', shows: /attempt 2 of backup/ },
  {
    command: 'statecron run retry NUMBER --env LEVEL=full',
    before: (week) => week.settle(),
    shows: /a run of backup for the tick of run/,
  },
  {
    command: 'statecron backfill backup --from 2026-01-01T00:00:00Z --to 2026-01-02T00:00:00Z',
    shows: /Requested 1 run of backup/,
  },
  {
    command: 'statecron job stop backup',
    before: async (week) => {
      await week.settle();
      await week.begin();
    },
    shows: /backup is being stopped/,
  },
  { command: 'statecron job pause backup --until 2h', shows: /Paused backup until .* \(in 2 h\)/ },
  { command: 'statecron job resume backup', shows: /Resumed backup/ },
  { command: 'statecron job skip-next backup', shows: /Skipped .* 03:00:00 .* of backup/ },
  { command: 'statecron job rollback backup 3', shows: /Rolled back backup to revision 3/ },
  // Act on a node
  { command: 'statecron node drain web1 --note "kernel upgrade"', shows: /web1 executes nothing/ },
  { command: 'statecron node uncordon web1', shows: /web1 takes work again/ },
  { command: 'statecron node cordon web1', shows: /web1 takes no new work/ },
  { command: 'statecron cluster', shows: /cordoned/ },
  { command: 'statecron cluster forget web9', shows: /Forgot web9: 1 slot/ },
  // Silence alerts
  {
    command: 'statecron notify mute backup --until 1h --note "new disk"',
    shows: /backup is muted until/,
  },
  { command: 'statecron notify mute --group web --until 2h', shows: /group web is muted/ },
  { command: 'statecron notify mute --target ops --until 8h', shows: /target ops is muted/ },
  { command: 'statecron notify mutes', shows: /backup.*new disk/ },
  { command: 'statecron notify unmute backup', shows: /backup is not muted any more/ },
  {
    command: 'statecron notify log',
    before: async (week) => {
      week.setDisk('full');
      week.release();
      await week.ask(['node', 'uncordon', 'web1']);
      await week.ask(['job', 'run', 'backup', '--wait']);
      await week.muted();
    },
    shows: /ops +failure +muted/,
  },
  // Act on many jobs
  {
    command: 'statecron pause --all --note "database move" --until 2h',
    asks: true,
    shows: /Paused 4 jobs/,
  },
  { command: 'statecron resume --all', asks: true, shows: /Resumed 4 jobs/ },
  { command: 'statecron pause --group web --dry-run', shows: /site/ },
  { command: 'statecron pause --group web --note "release 12"', asks: true, shows: /Paused 1 job/ },
  { command: 'statecron job run --tag nightly', asks: true, shows: /Requested to run 1 job/ },
  { command: 'statecron job run --failed', asks: true, shows: /Requested to run 1 job/ },
  { command: 'statecron job remove --text old-', asks: true, shows: /Removed 1 job/ },
];
