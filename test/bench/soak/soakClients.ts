import { EventClients } from '../load/eventClients.ts';
import { ListClients } from '../load/listClients.ts';

/** Clients of the soak, in a process of their own: a stream and a reader of lists at each node. */
export interface SoakPlan {
  readonly urls: readonly string[];
  readonly token: string;
  /** Of each node. */
  readonly listsPerSecond: number;
}

/** Of the time since the report before. */
export interface SoakReport {
  readonly latenciesMs: readonly number[];
  readonly faults: Readonly<Record<string, number>>;
  /** Of all the time: streams that ended, and what came on them. */
  readonly endedStreams: number;
  readonly readMb: number;
}

const { listsPerSecond, token, urls } = JSON.parse(process.argv[2] ?? '') as SoakPlan;

/** As the page asks for them, one after the other. */
const asked = [
  ['jobs', 'jobs?limit=50'],
  ['jobs with figures', 'jobs?limit=50&stats=true'],
  ['runs', 'runs?limit=50'],
  ['failed runs', 'runs?limit=50&result=failed'],
] as const;

const lists = urls.map((url) => {
  let count = 0;
  const draw = () => asked[count++ % asked.length] ?? asked[0];
  return new ListClients({ url, token, listsPerSecond }, draw);
});
const events = urls.map((url) => new EventClients({ url, token, eventClients: 1 }));

process.send?.({ begun: true });
process.on('message', () => {
  process.send?.({ report: report() });
  for (const each of lists) each.measure();
});
// The bench is over, however it came to its end.
process.on('disconnect', () => {
  for (const each of [...lists, ...events]) each.stop();
  process.exit(0);
});

function report(): SoakReport {
  const faults: Record<string, number> = {};
  const reports = lists.map((each) => each.report());
  for (const [word, count] of reports.flatMap((each) => Object.entries(each.faults))) {
    faults[word] = (faults[word] ?? 0) + count;
  }
  const streams = events.map((each) => each.report());
  return {
    latenciesMs: reports.flatMap((each) => each.latenciesMs),
    faults,
    endedStreams: streams.reduce((sum, { ended }) => sum + ended, 0),
    readMb: streams.reduce((sum, { readMb }) => sum + readMb, 0),
  };
}
