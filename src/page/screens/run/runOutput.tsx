import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { ApiProblem } from '../../api/apiProblem.ts';
import { callApi, send } from '../../api/callApi.ts';
import { apiUrl } from '../../live/liveFeed.ts';
import { OutputText } from '../../output/outputText.ts';
import { OutputView } from '../../output/outputView.tsx';
import { ProblemBox } from '../../parts/loaded.tsx';
import { formatBytes } from '../../text/formatNumber.ts';
import type { ShownRun } from './shownRun.ts';

const retryMs = 2_000;

/** What a run wrote: as it comes while it runs, and what is kept of it afterwards. */
export function RunOutput({ run }: { readonly run: ShownRun }): JSX.Element {
  const { launchId } = run;
  const isLive = run.result === null;
  const live = useMemo(() => new OutputText(), [launchId]);
  const kept = useSignal<{ output: OutputText; keptBytes: number } | null>(null);
  const problem = useSignal<ApiProblem | null>(null);
  useEffect(() => {
    if (launchId === null) return;
    const leaving = new AbortController();
    const work = isLive
      ? follow(launchId, live, leaving.signal)
      : readKept(launchId, leaving.signal);
    work.then(
      (read) => {
        if (read !== undefined) kept.value = read;
        problem.value = null;
      },
      (error: unknown) => {
        if (leaving.signal.aborted) return;
        if (!(error instanceof ApiProblem)) throw error;
        problem.value = error;
      },
    );
    return () => leaving.abort();
  }, [launchId, isLive, live, kept, problem]);
  if (launchId === null) {
    return (
      <p class="quiet">{isLive ? notStarted : 'Nothing was started, so there is no output.'}</p>
    );
  }
  if (problem.value !== null) return <ProblemBox problem={problem.value} />;
  // What came live stays until what is kept is there: nothing flickers at the end.
  const { output, keptBytes } = kept.value ?? { output: live, keptBytes: null };
  void output.version.value;
  if (output.isEmpty) {
    return <p class="nothing quiet">{emptyWords(run, keptBytes)}</p>;
  }
  const download = {
    href: `${apiUrl}runs/${encodeURIComponent(launchId)}/log`,
    name: `${run.job}-${launchId}.log`.replace(/[^\w.-]+/g, '_'),
  };
  return (
    <OutputView
      output={output}
      isLive={isLive}
      download={download}
      notes={notesOf(run, keptBytes)}
    />
  );
}

/** Until the run ends or the reader leaves; a stream that breaks is taken up where it was. */
async function follow(run: string, output: OutputText, signal: AbortSignal): Promise<undefined> {
  let seenBytes = 0;
  while (!signal.aborted) {
    try {
      const { body } = await send('POST /runs/{run}/follow', {
        path: { run },
        body: { seenBytes },
        signal,
      });
      const reader = body?.getReader();
      for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
        output.add(read.value);
        seenBytes += read.value.length;
      }
    } catch (error) {
      // It may break in the middle, which fetch reports as a TypeError.
      if (error instanceof ApiProblem && !error.isPassing) throw error;
      if (signal.aborted) return;
    }
    await new Promise((resolve) => setTimeout(resolve, retryMs));
  }
}

async function readKept(run: string, signal: AbortSignal) {
  const log = await callApi('GET /runs/{run}/log', {
    path: { run },
    query: { format: 'json' },
    signal,
  });
  const output = new OutputText();
  output.add(Uint8Array.from(atob(log.base64), (character) => character.charCodeAt(0)));
  return { output, keptBytes: log.keptBytes };
}

const notStarted = 'It has not started yet: its output will be shown here.';

function emptyWords(run: ShownRun, kept: number | null) {
  const { endedAt, outputBytes, result, startedAt } = run;
  const place = placeOf(run);
  if (startedAt === null) return notStarted;
  if (result === null) return 'It has written nothing yet.';
  if (kept === null) return 'The output is being read.';
  if (outputBytes === 0) {
    if (result !== 'lost') return 'It wrote nothing.';
    if (place !== null) return `Its node was lost. What it wrote is there: ${place}`;
    return 'Its node was lost, and with it whatever it wrote.';
  }
  const age = endedAt === null ? '' : ', as outputs are for a limited time';
  return `It wrote ${formatBytes(outputBytes)}, which is no longer kept${age}.`;
}

/** Where all of it is; null: only what the database keeps. */
function placeOf({ node, outputCommand, outputFile }: ShownRun): string | null {
  const place = outputFile ?? outputCommand;
  return place === null ? null : `node ${node}, ${place}`;
}

function notesOf(run: ShownRun, kept: number | null): string[] {
  const { outputBytes, result } = run;
  const notes: string[] = [];
  if (kept !== null && outputBytes > kept) {
    const sizes = `${formatBytes(outputBytes)}, of which ${formatBytes(kept)} are kept`;
    notes.push(`It wrote ${sizes}: the beginning and the end. The field output-max says how much.`);
  }
  const isPart = result === 'lost' || (kept !== null && outputBytes > kept);
  const place = placeOf(run);
  if (isPart && place !== null) notes.push(`All of it, while it is kept there: ${place}`);
  if (result === 'lost') notes.push('Its node was lost: what it wrote last is not known.');
  return notes;
}
