/** A job of the cluster in the pictures. */
interface SampleJob {
  readonly name: string;
  readonly cron: string;
  readonly command: string;
  readonly group: string;
  readonly timezone?: string;
  readonly description?: string;
  readonly onLabel?: readonly string[];
  /** About so long its runs are shown to have taken. */
  readonly seconds: number;
}

const gpu = { onLabel: ['gpu'] };
const books = { timezone: 'Europe/Berlin', description: 'Closes the books of the last hour.' };

export const sampleJobs: readonly SampleJob[] = [
  job('archive-logs', '0 */4 * * *', 'logs archive', 'ops', 130),
  job('backup-database', '30 */2 * * *', 'backup database --full', 'ops', 312),
  job('check-certificates', '15 * * * *', 'certificates check --days 30', 'ops', 4),
  { ...job('close-day', '50 * * * *', 'shop close-day --post-entries', 'shop', 95), ...books },
  job('expire-sessions', '*/30 * * * *', 'shop sessions expire', 'shop', 2),
  job('import-orders', '*/20 * * * *', 'shop orders import', 'shop', 21),
  job('rebuild-search', '5 */3 * * *', 'search rebuild', 'shop', 640),
  job('render-thumbnails', '45 * * * *', 'images thumbnails --new', 'web', 220),
  job('send-newsletter', '0 7 * * *', 'mail newsletter', 'web', 900),
  job('sync-stock', '*/30 * * * *', 'shop stock sync', 'shop', 48),
  { ...job('train-model', '0 4 * * *', 'python3 train.py', 'data', 1), ...gpu },
  job('update-rates', '10 */6 * * *', 'shop rates update', 'shop', 3),
  job('warm-caches', '20 * * * *', 'web caches warm', 'web', 37),
];

function job(name: string, cron: string, command: string, group: string, seconds: number) {
  return { name, cron, command, group, seconds };
}

/** What stands for the programs that the jobs call: two of the jobs fail at one hour of eight. */
export const sampleProgram = `#!/bin/bash
echo "\${0##*/} $*: done"
sleep "\${LENGTH:-0}"
[ -z "$FAIL" ] || exit 4
case $STATECRON_JOB in
  check-certificates | close-day)
    [ "$WELL" ] || [ $((10#\${STATECRON_SCHEDULED_FOR:11:2} % 8)) != 5 ] ;;
esac
`;
