/**
 * What the driver answers, or the error of its own time-out when it does not in time. The driver's
 * own timer is not used: it goes on after the connection broke, and a command that has done its
 * work would not end before it has run out (measured: 20 s).
 */
export function answerWithin<T>(answer: Promise<T>, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const error = new Error(`no answer from the database within ${timeoutMs} ms`);
      reject(Object.assign(error, { code: 'PROTOCOL_SEQUENCE_TIMEOUT' }));
    }, timeoutMs);
    answer.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}
