import { useMemo } from 'preact/hooks';
import { keptHere } from '../state/kept.ts';
import { type Resource, type ResourceOptions, useResource } from './useResource.ts';

interface GrowingOptions<T> extends Omit<ResourceOptions<T>, 'isKept' | 'read'> {
  /** Reads so many parts of it, from its beginning. */
  read(signal: AbortSignal, parts: number): Promise<T>;
}

interface Growing<T> extends Resource<T> {
  /** So many parts of it are shown, or read just now. */
  readonly parts: number;
  /** Reads a part more. */
  more(): void;
}

/**
 * A list of which the reader sees more when it is asked for. What is there stays where it is
 * meanwhile, and who comes back to it sees as much of it again.
 */
export function useGrowing<T>(key: string, { read, ...options }: GrowingOptions<T>): Growing<T> {
  const shown = useMemo(() => keptHere(`parts ${key}`, () => ({ parts: 1 })), [key]);
  const resource = useResource<T>(key, {
    ...options,
    read: (signal) => read(signal, shown.parts),
    isKept: true,
  });
  const { data, problem } = resource;
  const reload = () => resource.reload();
  const more = () => {
    shown.parts += 1;
    reload();
  };
  return { data, problem, reload, parts: shown.parts, more };
}
