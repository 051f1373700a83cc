import type { Decoder } from '../rows/row.ts';

/** A row of SHOW VARIABLES or SHOW STATUS: the name in lower case, and the value. */
export const serverVariable: Decoder<readonly [name: string, value: string]> = (row) => [
  String(row.Variable_name).toLowerCase(),
  String(row.Value),
];
