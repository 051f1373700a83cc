interface Joined {
  readonly frames: readonly Uint8Array[];
  readonly bytes: Uint8Array;
}

/** As many as there are kinds of clients, more or less: those who asked for the same events. */
const joinedMax = 4;
const joined: Joined[] = [];

/**
 * Several frames as one piece. Clients that are told the same share it, as they share the frames:
 * it is not to be changed.
 */
export function joinFrames(frames: readonly Uint8Array[]): Uint8Array {
  if (frames.length === 1) return frames[0] as Uint8Array;
  const known = joined.find((each) => areSame(each.frames, frames));
  if (known !== undefined) return known.bytes;
  const bytes = Buffer.concat(frames);
  joined.push({ frames, bytes });
  if (joined.length > joinedMax) joined.shift();
  return bytes;
}

function areSame(some: readonly Uint8Array[], others: readonly Uint8Array[]): boolean {
  return some.length === others.length && some.every((frame, index) => frame === others[index]);
}
