import type { TestContext } from 'node:test';
import type { TableRow, TableWorld } from './tableWorld.ts';

/** A test for each row, in one world: all at once when the test around them may do so. */
export async function holdRows(
  context: TestContext,
  rows: readonly TableRow[],
  world: TableWorld,
): Promise<void> {
  const tests = rows.map((row) =>
    context.test(row.title, { skip: row.skip ?? false }, () => row.holds(world)),
  );
  await Promise.all(tests);
}
