import { fieldFault } from './fieldFault.ts';

/** Which jobs are paused and resumed together: those of a group, of a tag, or all. */
interface TogetherFilter {
  readonly groups?: readonly string[];
  readonly tags?: readonly string[];
}

/**
 * How a pause of many jobs is named: by what it is of, so that its end needs no other name.
 * @throws FieldError (2) for what is not one group, one tag, or neither.
 */
export function togetherScope({ groups = [], tags = [], ...others }: TogetherFilter): string {
  const count = groups.length + tags.length;
  if (count > 1 || Object.values(others).some((value) => value !== undefined)) {
    throw fieldFault('together', ': takes one group, one tag, or all jobs.', {
      hint: 'See: statecron pause --help',
    });
  }
  const [group, tag] = [groups[0], tags[0]];
  if (group !== undefined) return `group ${JSON.stringify(group)}`;
  return tag === undefined ? 'all jobs' : `tag ${JSON.stringify(tag)}`;
}
