import http from 'node:http';
import type { LoadPlan } from './loadPlan.ts';

type EventPlan = Pick<LoadPlan, 'url' | 'token' | 'eventClients'>;

/** One that the node has ended comes again after this, as browsers do. */
const againMs = 2_000;

/** Clients of the event stream, every fifth with what actors do; half of them read nothing. */
export class EventClients {
  readonly #plan: EventPlan;
  readonly #requests = new Set<http.ClientRequest>();
  #opened = 0;
  #ended = 0;
  #bytes = 0;
  #isOver = false;

  constructor(plan: EventPlan) {
    this.#plan = plan;
    for (let number = 0; number < plan.eventClients; number += 1) {
      const kinds = number % 5 === 0 ? 'run,slot,session,actor' : 'run,slot,session';
      this.#open(kinds, number % 2 === 0);
    }
  }

  report(): { opened: number; ended: number; readMb: number } {
    return { opened: this.#opened, ended: this.#ended, readMb: this.#bytes / 1e6 };
  }

  stop(): void {
    this.#isOver = true;
    for (const request of this.#requests) request.destroy();
  }

  #open(kinds: string, reads: boolean): void {
    const { token, url } = this.#plan;
    const request = http.get(`${url}/api/v1/events?kinds=${kinds}`, {
      agent: false,
      headers: { authorization: `Bearer ${token}` },
    });
    this.#requests.add(request);
    this.#opened += 1;
    request.on('response', (response) => {
      response.on('error', () => undefined); // its close follows
      // Without a reader the socket's buffers fill up, here and at the node.
      if (!reads) return void response.pause();
      response.on('data', (chunk: Buffer) => {
        this.#bytes += chunk.length;
      });
    });
    request.on('error', () => undefined);
    request.on('close', () => {
      this.#requests.delete(request);
      if (this.#isOver) return;
      this.#ended += 1;
      setTimeout(() => this.#isOver || this.#open(kinds, reads), againMs);
    });
  }
}
