/** Bytes as a parameter of a statement that takes 4/3 of their size, where hex takes twice. */
export interface Base64Bytes {
  toSqlString(): string;
}

/**
 * The driver writes bytes as hex, by which the largest output (8 MiB) would not fit a packet of
 * 16 MiB, MariaDB's default.
 */
export function asBase64({ buffer, byteOffset, byteLength }: Uint8Array): Base64Bytes {
  const text = Buffer.from(buffer, byteOffset, byteLength).toString('base64');
  return { toSqlString: () => `FROM_BASE64('${text}')` };
}
