import type { RowDataPacket } from 'mysql2/promise';

/** What of `SHOW GLOBAL STATUS`, or `SHOW SESSION STATUS`, counts statements and rows read. */
export const whereCounts =
  "WHERE Variable_name = 'Questions' OR Variable_name LIKE 'Handler\\_read%'";

/** The statements, and the rows that were read by any way, of what that has answered. */
export function sumCounts(answer: readonly RowDataPacket[]) {
  const counts = { statements: Number.NaN, rows: 0 };
  for (const { Variable_name: name, Value: value } of answer) {
    if (name === 'Questions') counts.statements = Number(value);
    else counts.rows += Number(value);
  }
  return counts;
}
