/** Something that comes once, for those who wait for it. */
interface Moment {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
}

/** Makes a moment that has not come. */
export function makeMoment(): Moment {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
