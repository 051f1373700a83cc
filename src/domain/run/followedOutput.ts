/**
 * What of a launch's output has been shown, while it comes in looks at its end and at last as the
 * head and the tail that are kept: each byte is shown once, and what nobody can show is counted.
 */
export class FollowedOutput {
  /** Everything up to here has been shown or reported as left out. */
  seenBytes = 0;

  /** What is new in the last bytes of what was written until now. */
  take(end: Uint8Array, totalBytes: number): Uint8Array[] {
    const endsFrom = totalBytes - end.length;
    if (totalBytes <= this.seenBytes) return [];
    const gap = endsFrom - this.seenBytes;
    const pieces = gap > 0 ? [markerOf(gap), end] : [end.subarray(-gap)];
    this.seenBytes = totalBytes;
    return pieces;
  }

  /** What is new in what is kept of a run that has ended. */
  finish(kept: Uint8Array, totalBytes: number): Uint8Array[] {
    const { head, tail } = takeApart(kept, totalBytes);
    const fresh = head.subarray(this.seenBytes);
    this.seenBytes = Math.max(this.seenBytes, head.length);
    return [...(fresh.length > 0 ? [fresh] : []), ...this.take(tail, totalBytes)];
  }
}

/** A line about a gap, as the kept output has it. */
function markerOf(leftOutBytes: number): Uint8Array {
  return new TextEncoder().encode(`\n[statecron: ${leftOutBytes} bytes left out]\n`);
}

/** The head and the tail that are kept of so many bytes; of less than is kept all is tail. */
function takeApart(kept: Uint8Array, totalBytes: number) {
  const whole = { head: kept.subarray(0, 0), tail: kept };
  for (let digits = 1; digits < 16 && totalBytes !== kept.length; digits += 1) {
    // The marker is as long as its number says, and the number depends on how long it is.
    const markerBytes = markerOf(10 ** (digits - 1)).length;
    const keptBytes = kept.length - markerBytes;
    const marker = Buffer.from(markerOf(totalBytes - keptBytes));
    const headBytes = Math.ceil(keptBytes / 2);
    const place = kept.subarray(headBytes, headBytes + markerBytes);
    if (keptBytes < 0 || marker.length !== markerBytes || !marker.equals(place)) continue;
    return { head: kept.subarray(0, headBytes), tail: kept.subarray(headBytes + markerBytes) };
  }
  return whole;
}
