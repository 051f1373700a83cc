import type { JSX } from 'preact';
import { ApiProblem } from '../api/apiProblem.ts';
import { callApi } from '../api/callApi.ts';
import { ask } from '../parts/confirm.tsx';
import { showLine } from '../text/showControls.ts';
import { variablesOf } from '../text/variablesOf.ts';

interface RunQuestion {
  readonly job: string;
  readonly title: string;
  readonly says: string;
  readonly act: string;
  /** Names of variables that the run had which is run again. */
  readonly again?: readonly string[];
}

/** Variables of one run, by their names. */
type Variables = Readonly<Record<string, string>>;

/** Asks whether to run it, and with which variables, and does it; undefined: it is not meant. */
export async function askVariables<T>(
  { act, again = [], job, says, title }: RunQuestion,
  make: (variables: Variables) => Promise<T>,
): Promise<T | undefined> {
  let text = '';
  const ofJob = await readNames(job);
  const body: JSX.Element = (
    <>
      <p>{says}</p>
      <label class="asked">
        Variables for this run alone
        <textarea
          rows={2}
          spellcheck={false}
          placeholder="NAME=value, one a line"
          onInput={({ currentTarget }) => {
            text = currentTarget.value;
          }}
        />
      </label>
      {again.length > 0 && (
        <p class="quiet">
          Those of the run that has ended are used again: {namesText(again)}. What stands here wins
          over them.
        </p>
      )}
      {again.length === 0 && ofJob.length > 0 && (
        <p class="quiet">They win over the job’s own: {namesText(ofJob)}.</p>
      )}
    </>
  );
  return ask({ title, body, act, isQuick: true }, async () => make(readVariables(text)));
}

function namesText(names: readonly string[]): string {
  return names.map(showLine).join(', ');
}

/** Of the job's own variables; secret ones are not among them. */
async function readNames(job: string): Promise<readonly string[]> {
  try {
    const { fields } = await callApi('GET /jobs/{job}', { path: { job } });
    return Object.keys((fields as { readonly env?: Variables }).env ?? {});
  } catch (error) {
    if (error instanceof ApiProblem) return [];
    throw error;
  }
}

/** The variables of lines `NAME=value`. Throws ApiProblem, as the node would. */
function readVariables(text: string): Variables {
  const isWrong = (line: string) => line.trim() !== '' && !/^\s*[A-Za-z_][A-Za-z0-9_]*=/.test(line);
  const wrong = text.split('\n').find(isWrong);
  if (wrong === undefined) return variablesOf(text);
  const detail = `“${showLine(wrong.trim())}” is no variable: write NAME=value.`;
  throw new ApiProblem(400, { detail });
}
