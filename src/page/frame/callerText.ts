import { caller } from '../api/session.ts';
import { showLine } from '../text/showControls.ts';

/** Who looks at the page, as what, and of which groups the jobs are that they see. */
export function callerText(): string {
  const { groups = null, name = '', role = '' } = caller.value ?? {};
  const seen = groups === null ? 'all groups' : `groups: ${groups.join(', ')}`;
  return `${showLine(name)}: ${role}, ${showLine(seen)}`;
}
