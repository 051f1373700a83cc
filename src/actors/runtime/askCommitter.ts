import type { AnyActorRef } from 'xstate';
import type { BatchRequest } from '../../domain/commit/batch.ts';
import type { Settled } from '../../domain/commit/commitQueue.ts';
import { type ActorSystem, sendTo } from './sendTo.ts';

/**
 * Puts a request into the committer's mailbox; the answer comes into the asking actor's as an event
 * named for the request and what became of it (`start.committed`, `reset.unknown` …), with the
 * request's own ids, so that the asker need not remember what it asked.
 */
export function askCommitter(system: ActorSystem, asker: AnyActorRef, request: BatchRequest): void {
  const settle = (settled: Settled): void => {
    asker.send({
      ...settled,
      type: `${request.kind}.${eventWord[settled.verdict]}`,
      ...('launchId' in request ? { launchId: request.launchId } : {}),
      ...('sessionId' in request ? { sessionId: request.sessionId } : {}),
    });
  };
  sendTo(system, 'committer', { type: 'commit.ask', queued: { request, settle } });
}

const eventWord: Record<Settled['verdict'], string> = {
  done: 'committed',
  claimed: 'committed',
  reaped: 'committed',
  refused: 'refused',
  early: 'early',
  busy: 'unknown',
  unknown: 'unknown',
};
