import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LoadPlan, LoadReport } from './loadPlan.ts';

const bodyBytes = 10 * 1024 * 1024;
const piece = Buffer.alloc(64 * 1024, 'x');
const restMs = 500;

/** Sends bodies of 10 MB all the time, every other one without saying how long it is. */
export class LargeBodies {
  readonly #plan: LoadPlan;
  #sent = 0;
  #refused = 0;
  #cut = 0;
  #taken = 0;
  #isOver = false;

  constructor(plan: LoadPlan) {
    this.#plan = plan;
    for (let number = 0; number < plan.bodySenders; number += 1) void this.#sendAll();
  }

  /**
   * `refused`: told so, by 413, or by 503 while others have all places; `cut`: the connection was
   * ended while it was being sent, and an answer with it; `taken`: as no body of this size may be.
   */
  report(): LoadReport['bodies'] {
    return { sent: this.#sent, refused: this.#refused, cut: this.#cut, taken: this.#taken };
  }

  stop(): void {
    this.#isOver = true;
  }

  async #sendAll(): Promise<void> {
    while (!this.#isOver) {
      this.#sent += 1;
      const status = await this.#send(this.#sent % 2 === 0);
      if (status === null) this.#cut += 1;
      else if (status >= 400) this.#refused += 1;
      else this.#taken += 1;
      await sleep(restMs);
    }
  }

  /** Resolves to the answer's status; null: the connection was cut before there was one. */
  #send(isLengthTold: boolean): Promise<number | null> {
    const { token, url } = this.#plan;
    return new Promise((resolve) => {
      const request = http.request(`${url}/api/v1/jobs`, {
        method: 'POST',
        agent: false,
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          ...(isLengthTold ? { 'content-length': `${bodyBytes}` } : {}),
        },
      });
      let left = bodyBytes;
      const write = (): void => {
        while (left > 0 && !request.destroyed) {
          left -= piece.length;
          if (!request.write(piece)) return;
        }
        if (!request.destroyed) request.end();
      };
      request.on('drain', write);
      request.on('response', (response) => {
        resolve(response.statusCode ?? null);
        response.resume();
        request.destroy();
      });
      request.on('error', () => resolve(null));
      request.on('close', () => resolve(null));
      write();
    });
  }
}
