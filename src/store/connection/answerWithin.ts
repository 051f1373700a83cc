/**
 * What the driver answers, or the error of its own time-out when it does not in time. The driver's
 * own timer is not used: it goes on after the connection broke, and a command that has done its
 * work would not end before it has run out (measured: 20 s).
 */
export async function answerWithin<T>(answer: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new Error(`no answer from the database within ${timeoutMs} ms`);
      reject(Object.assign(error, { code: 'PROTOCOL_SEQUENCE_TIMEOUT' }));
    }, timeoutMs);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
