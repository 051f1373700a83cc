import type { Operation } from '../../checkers/history.ts';
import type { Random } from '../world/random.ts';
import type { JobMix } from './jobMix.ts';
import type { OperationKind, Victim } from './victim.ts';

/** An operation that is requested of the system, whichever way it goes. */
export interface OperationRequest {
  readonly kind: OperationKind;
  readonly job: string;
  /** Of a stop. */
  readonly launchId: string | null;
  /** Of an add or an edit. */
  readonly command: string | null;
  readonly cron: string | null;
}

/** What became of it, as far as its sender can know. */
export interface OperationAnswer {
  readonly outcome: Operation['outcome'];
  /** False: nobody has ever answered. */
  readonly isAnswered: boolean;
  readonly revision: number | null;
  readonly requestId: string | null;
  /** How many runs go on; null: it does not say. */
  readonly executing: number | null;
  /** Why, when it was not done. */
  readonly message: string;
}

/** One way by which operations are requested. */
export interface OperationWay {
  /** For the history, e.g. `API`. */
  readonly via: string;
  /** Where it is sent, in a few words; '' where that goes without saying. */
  readonly whom: string;
  send(request: OperationRequest): Promise<OperationAnswer>;
}

/** Draws what an operation is about; of an add or an edit the command has a token of its own. */
export function drawOperation(
  random: Random,
  kind: OperationKind,
  victim: Victim,
  launchId: string | null,
  mix: JobMix,
): OperationRequest {
  const request = { kind, job: victim.name, launchId: null, command: null, cron: null };
  if (kind === 'stop') return { ...request, launchId };
  if (kind !== 'edit' && kind !== 'add') return request;
  if (kind === 'edit') victim.tokens += 1;
  return { ...request, ...mix.draw(random, kind, victim) };
}

/** The same in a few words, for the history. */
export function describeOperation({ kind, launchId, cron }: OperationRequest): string {
  if (kind === 'stop') return launchId ?? '';
  return [kind === 'edit' ? 'new command' : kind, ...(cron === null ? [] : [cron])].join(', ');
}
