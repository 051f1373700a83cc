import type { ServerMember } from './serverMember.ts';

/** Those that take writes now. */
export async function writableOf(members: readonly ServerMember[]): Promise<ServerMember[]> {
  const answers = await Promise.all(
    members.map(async (member) => ((await member.isWritable()) ? [member] : [])),
  );
  return answers.flat();
}
