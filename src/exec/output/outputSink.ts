import { joinReasons, type Reason } from '../../domain/reasons/reasons.ts';

/** Something that gets all that a run prints. */
export interface OutputSink {
  /** The bytes are only good during the call. */
  write(bytes: Uint8Array): void;
  /** Resolves when it has all, or never will: to what the run says of that. */
  end(): Promise<Reason | null>;
}

/** Makes a sink; the function that it is given says whether the run's output is to be held. */
export type MakeSink = (hold: (isHeld: boolean) => void) => OutputSink;

/**
 * Several sinks as one; null: there are none. The output is held while any of them wants it.
 */
export function joinSinks(
  makers: readonly MakeSink[],
  hold: (isHeld: boolean) => void,
): OutputSink | null {
  const holding = new Set<MakeSink>();
  const sinks = makers.map((make) =>
    make((isHeld) => {
      const wasHeld = holding.size > 0;
      if (isHeld) holding.add(make);
      else holding.delete(make);
      if (wasHeld !== holding.size > 0) hold(holding.size > 0);
    }),
  );
  if (sinks.length < 2) return sinks[0] ?? null;
  return {
    write: (bytes) => {
      for (const sink of sinks) sink.write(bytes);
    },
    end: async () => joinReasons(...(await Promise.all(sinks.map((sink) => sink.end())))),
  };
}
