import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ApiProblem } from '../../api/apiProblem.ts';
import { type Verification, type VerifyProgress, verifyHistory } from '../../api/verifyHistory.ts';

/** What is verified; as the URL has it, `''` for what it does not say. */
export interface VerifyScope {
  readonly job: string;
  readonly since: string;
}

interface VerifyState {
  /** Null: it has not said so yet. */
  readonly far: VerifyProgress | null;
  readonly done: { readonly verification: Verification; readonly tookMs: number } | null;
  readonly problem: ApiProblem | null;
}

const begun: VerifyState = { far: null, done: null, problem: null };

/** Verifies while it is shown, once for each scope; null: nothing is to be verified yet. */
export function useVerification(scope: VerifyScope | null): {
  readonly state: Signal<VerifyState>;
  /** Once more. */
  again(): void;
} {
  const state = useSignal(begun);
  const times = useSignal(0);
  const key = scope === null ? null : JSON.stringify(scope);
  useEffect(() => {
    if (scope === null) return;
    const { job, since } = scope;
    const leaving = new AbortController();
    const beganMs = performance.now();
    state.value = begun;
    verifyHistory({
      query: { ...(job !== '' && { job }), ...(since !== '' && { since }) },
      signal: leaving.signal,
      onProgress: (far) => {
        state.value = { ...begun, far };
      },
    }).then(
      (verification) => {
        const tookMs = performance.now() - beganMs;
        state.value = { ...begun, done: { verification, tookMs } };
      },
      (error: unknown) => {
        if (leaving.signal.aborted) return;
        if (!(error instanceof ApiProblem)) throw error;
        state.value = { ...begun, problem: error };
      },
    );
    return () => leaving.abort();
  }, [key, times.value, state]);
  const again = () => {
    times.value += 1;
  };
  return { state, again };
}
