import type { Connection, RowDataPacket } from 'mysql2/promise';
import { withConnection } from '../../support/createDatabase.ts';
import { sumCounts, whereCounts } from '../../support/serverCounts.ts';
import { StatementMeter } from './statementMeter.ts';

/**
 * What every statement that this process sends meanwhile comes to by the server's own counts, the
 * session's `Questions` and `Handler_read%`, which are read before and after each one.
 * @param url of a database: any connection tells how the driver sends
 */
export async function measureServer(
  url: string,
  work: () => Promise<unknown>,
): Promise<StatementMeter> {
  const meter = new StatementMeter();
  const driver = await withConnection(url, async (connection) => Object.getPrototypeOf(connection));
  const send: Connection['query'] = driver.query;
  const read = async (connection: Connection) => {
    const [rows] = (await send.call(connection, { sql: selectCounts })) as [
      RowDataPacket[],
      unknown,
    ];
    return sumCounts(rows);
  };
  driver.query = async function measured(this: Connection, options: { sql: string }) {
    const [first, before] = [await read(this), await read(this)];
    const result = await send.call(this, options);
    const after = await read(this);
    // What reading the counts itself comes to is what the second reading adds to the first.
    const sent = after.statements - before.statements - (before.statements - first.statements);
    const rows = after.rows - before.rows - (before.rows - first.rows);
    const kind = kindOf(options.sql);
    for (let each = 0; each < sent; each += 1) {
      meter.note(
        { kind, rows: each === 0 ? rows : 0, passed: 0, written: 0, isAlone: false },
        '',
        0,
      );
    }
    return result;
  };
  try {
    await work();
  } finally {
    driver.query = send;
  }
  return meter;
}

const selectCounts = `SHOW SESSION STATUS ${whereCounts}`;

/** The name in the comment; of what begins and ends a transaction, only that. */
function kindOf(sql: string): string {
  const name = /^\s*\/\* (.*?) \*\//.exec(sql)?.[1] ?? sql.slice(0, 40);
  return /(?:^| )(begin|commit|rollback)$/.exec(name)?.[1] ?? name;
}
