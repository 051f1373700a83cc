import type { VerificationView, VerifyLine } from '../../http/contract/clusterContract.ts';
import { ApiProblem, lostAnswer, nodeAway } from './apiProblem.ts';
import { type CallInput, send } from './callApi.ts';

export type Verification = VerificationView;
export type VerifyProgress = Extract<VerifyLine, { readonly progress: unknown }>['progress'];

interface VerifyOptions {
  readonly query: NonNullable<CallInput<'GET /verify'>['query']>;
  /** Ends it, at the node too. */
  readonly signal: AbortSignal;
  /** Called once a second with how far it is. */
  onProgress(far: VerifyProgress): void;
}

/** Has the node verify the history, which takes as long as there is history. Throws ApiProblem. */
export async function verifyHistory(options: VerifyOptions): Promise<Verification> {
  const { onProgress, query, signal } = options;
  const response = await send('GET /verify', { query, signal });
  for await (const line of linesOf(response, signal)) {
    const read = JSON.parse(line) as VerifyLine;
    if ('verification' in read) return read.verification;
    if ('problem' in read) throw new ApiProblem(read.problem.status, read.problem);
    onProgress(read.progress);
  }
  throw nodeAway();
}

async function* linesOf({ body }: Response, signal: AbortSignal): AsyncGenerator<string> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  while (reader !== undefined) {
    const { done, value = '' } = await reader.read().catch((error: unknown) => {
      throw lostAnswer(error, signal);
    });
    const lines = `${rest}${value}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
    if (done) return;
  }
}
