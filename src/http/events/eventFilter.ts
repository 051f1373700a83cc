import type { HistoryScope } from '../../store/events/readRunEvents.ts';
import type { Caller } from '../authentication/api.ts';
import type { EventKind, EventQuery } from '../contract/eventContract.ts';
import type { StreamEvent } from './streamEvent.ts';

/** What of all that happens a client is sent. */
export interface EventFilter {
  readonly kinds: ReadonlySet<EventKind>;
  /** Whose history its position is about. */
  readonly scope: HistoryScope;
  passes(event: StreamEvent): boolean;
}

const defaultKinds: readonly EventKind[] = ['run', 'slot', 'session'];

/**
 * What the client wants, of what its token lets it see: of a group that is not its own nothing
 * comes, whether it wants it or not. What is about no job is everybody's.
 */
export function eventFilter(query: EventQuery, caller: Caller): EventFilter {
  const given = query.kinds?.split(',') as EventKind[] | undefined;
  const kinds = new Set<EventKind>(given ?? defaultKinds);
  const jobs = query.job === undefined ? null : new Set(query.job);
  const groups = groupsOf(query, caller);
  return {
    kinds,
    scope: {
      ...(query.job === undefined ? {} : { jobs: query.job }),
      ...(groups === null ? {} : { groups: [...groups] }),
    },
    passes: ({ kind, job, group }) => {
      if (kind !== 'stream' && !kinds.has(kind)) return false;
      if (group !== null && groups !== null && !groups.has(group)) return false;
      return job === null || jobs === null || jobs.has(job);
    },
  };
}

function groupsOf({ group }: EventQuery, caller: Caller): ReadonlySet<string> | null {
  if (caller.groups === null) return group === undefined ? null : new Set(group);
  const own = new Set(caller.groups);
  return group === undefined ? own : new Set(group.filter((each) => own.has(each)));
}
