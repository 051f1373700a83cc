import type { JSX } from 'preact';
import { callApi } from '../api/callApi.ts';
import { useResource } from '../api/useResource.ts';
import { changeQuery } from '../state/place.ts';
import { showLine } from '../text/showControls.ts';

const namesMax = '10';

/** The names of some jobs that have the text in theirs. */
export async function jobNamesLike(text: string, signal?: AbortSignal): Promise<string[]> {
  const query = { text: text || undefined, limit: namesMax };
  const { items } = await callApi('GET /jobs', { query, ...(signal && { signal }) });
  return items.map(({ job }) => job);
}

interface LikeProps {
  /** What was given as the whole name of a job. */
  readonly name: string;
  /** In the URL. */
  readonly parameter: string;
}

/** Where no job has a name: says so, and leads to those that have it as a part of theirs. */
export function NamesLike({ name, parameter }: LikeProps): JSX.Element | null {
  const like = useResource(name, { read: (signal) => jobNamesLike(name, signal), everyMs: null });
  const found = like.data.value;
  if (found === null || found.includes(name)) return null;
  return (
    <>
      <p>No job is called {showLine(name)}.</p>
      {found.length > 0 && (
        <p class="like">
          {found.map((each) => (
            <button
              key={each}
              type="button"
              class="button plain"
              onClick={() => changeQuery({ [parameter]: each })}
            >
              {showLine(each)}
            </button>
          ))}
        </p>
      )}
    </>
  );
}
