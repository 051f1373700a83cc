import type { Chain, ChainSide } from '../../store/chains/readChain.ts';
import type { Answer } from '../contract/apiContract.ts';
import { isoOrNull } from './isoOf.ts';

export type ChainView = Answer<'GET /jobs/{job}/chain'>;
type SideView = ChainView['upstreams'];

/** The chain around a job, as the API shows it. */
export function chainView(job: string, { followers, jobId, upstreams }: Chain): ChainView {
  return { job, jobId, upstreams: sideView(upstreams), followers: sideView(followers) };
}

function sideView({ jobs, left }: ChainSide): SideView {
  return {
    items: jobs.map(({ job: { definition, last, name, state }, ...link }) => ({
      ...{ job: name, group: definition.group ?? 'default', ...link, state },
      lastRunId: last?.runId ?? null,
      lastResult: last?.result ?? null,
      lastEndedAt: isoOrNull(last?.endedMs ?? null),
    })),
    left,
  };
}
