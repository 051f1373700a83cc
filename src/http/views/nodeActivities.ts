import type { NodeView } from '../../actors/view/nodeView.ts';
import type { NodeActivity } from '../../domain/commit/nodeActivity.ts';
import type { ReportedActivity } from '../../store/activity/readActivity.ts';
import type { GaugeReader } from '../../store/metrics/openGaugeReader.ts';

/** What a session does, or did when it last reported it; null: it has not. */
interface SessionActivity
  extends Pick<ReportedActivity, 'node' | 'sessionId' | 'version' | 'isLive' | 'reportedMs'> {
  readonly activity: NodeActivity | null;
}

type Reader = Pick<GaugeReader, 'readActivity' | 'watchActivity'>;

/** Nodes share their activity for three times as long after they were asked to. */
const askAgainMs = 5_000;
/** Nodes report no more often than twice that. */
const freshMs = 1_000;

/** The activity of this node from memory and that of others as the database has it. */
export class NodeActivities {
  readonly #view: NodeView;
  readonly #reader: Reader;
  #askedMs = Number.NEGATIVE_INFINITY;
  /** The last reading of each node, and of all: ''. */
  readonly #readings = new Map<string, { readonly atMs: number; readonly rows: Promise<Rows> }>();

  constructor(view: NodeView, reader: Reader) {
    this.#view = view;
    this.#reader = reader;
  }

  own(): SessionActivity {
    const { nodeName: node, sessionId, version } = this.#view;
    const activity = this.#view.activity();
    return { node, sessionId, version, isLive: true, reportedMs: Date.now(), activity };
  }

  /** The latest session of a node; undefined: there is none of the name. */
  async ofNode(name: string): Promise<SessionActivity | undefined> {
    if (name === this.#view.nodeName) {
      // What its actors say of launches is kept while somebody looks, on this node, too.
      await this.#ask().catch(() => undefined); // what is in memory is there without it
      return this.own();
    }
    return (await this.#read(name))[0];
  }

  /** Every live session, and ended ones that have reported something. */
  async ofAll(): Promise<readonly SessionActivity[]> {
    const own = this.own();
    const others = (await this.#read('')).filter(({ sessionId }) => sessionId !== own.sessionId);
    return [own, ...others];
  }

  /** Has all nodes report for a while. */
  async #ask(): Promise<void> {
    const nowMs = performance.now();
    if (nowMs - this.#askedMs < askAgainMs) return;
    this.#askedMs = nowMs;
    await this.#reader.watchActivity();
  }

  /** What they have reported. */
  async #read(name: string): Promise<Rows> {
    await this.#ask();
    const nowMs = performance.now();
    const last = this.#readings.get(name);
    if (last !== undefined && nowMs - last.atMs < freshMs) return last.rows;
    for (const [key, { atMs }] of this.#readings) {
      if (nowMs - atMs >= freshMs) this.#readings.delete(key);
    }
    const rows = this.#reader.readActivity(name === '' ? null : name);
    this.#readings.set(name, { atMs: nowMs, rows });
    return rows;
  }
}

type Rows = readonly ReportedActivity[];
