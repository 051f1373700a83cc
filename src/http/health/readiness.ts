import type { Context } from 'hono';
import type { NodeView } from '../../actors/view/nodeView.ts';
import type { SchemaFit } from '../../store/schema/migrate.ts';
import type { Api } from '../authentication/api.ts';
import { healthContract, type Readiness } from '../contract/nodeContract.ts';
import { addRoutes } from '../routes/handling/addRoutes.ts';

interface ReadinessParts {
  readonly view: NodeView;
  /** Reads whether the schema is one that this version works on. */
  readonly readSchemaFit: () => Promise<SchemaFit>;
  readonly nowMs?: () => number;
}

/** Renewals per TTL are fifteen: two and a half without an answer are out of contact. */
const silentShare = 2.5 / 15;
/** A schema does not change often, and readiness is polled. */
const schemaMs = 60_000;
const schemaRetryMs = 5_000;

/**
 * Whether this node does its work: it serves, its lease is good, the database has answered lately,
 * and the schema fits. Says no more than that, since it is open to anybody. Only the schema is read
 * from the database, now and then and by nobody who waits.
 */
export class ReadinessCheck {
  readonly #parts: ReadinessParts;
  readonly #nowMs: () => number;
  #fit: SchemaFit | 'unknown' = 'unknown';
  #nextReadMs = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | null = null;

  constructor(parts: ReadinessParts) {
    this.#parts = parts;
    this.#nowMs = parts.nowMs ?? (() => performance.now());
  }

  async check(): Promise<Readiness> {
    const { view } = this.#parts;
    this.#look();
    // The first caller waits for the answer; a database that is away is known to be by then.
    if (this.#fit === 'unknown') await this.#reading;
    const [state, leftMs, silentMs] = [view.state(), view.leaseLeftMs(), view.silentMs()];
    const checks: Readiness['checks'] = {
      serving: { isOk: state === 'live.serving', state },
      lease: { isOk: leftMs > 0, leftMs: Math.max(0, Math.round(leftMs)) },
      database: { isOk: silentMs <= view.ttlMs * silentShare, answeredAgoMs: Math.round(silentMs) },
      schema: { isOk: this.#fit === 'fits', fit: this.#fit },
    };
    const isReady = Object.values(checks).every(({ isOk }) => isOk);
    return { isReady, node: view.nodeName, checks };
  }

  #look(): void {
    if (this.#reading !== null || this.#nowMs() < this.#nextReadMs) return;
    this.#nextReadMs = this.#nowMs() + schemaRetryMs;
    this.#reading = this.#parts
      .readSchemaFit()
      .then(
        (fit) => {
          this.#fit = fit;
          this.#nextReadMs = this.#nowMs() + schemaMs;
        },
        () => undefined, // what was known stays; the check of the database shows the rest
      )
      .finally(() => {
        this.#reading = null;
      });
  }
}

/** `GET /livez` and `GET /readyz`. */
export function addHealthRoutes(api: Api, ready: ReadinessCheck): void {
  const handlers = {
    'GET /livez': async () => ({ isAlive: true }) as const,
    'GET /readyz': async (_: object, c: Context) => {
      const readiness = await ready.check();
      return c.json(readiness, readiness.isReady ? 200 : 503);
    },
  };
  addRoutes(api, healthContract, handlers, '');
}
