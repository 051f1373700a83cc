import type { ComponentType } from 'preact';
import type { Role } from '../api/session.ts';
import type { IconName } from '../parts/icons.tsx';

/** What a screen is given: the names that its path has. */
export interface ScreenProps {
  readonly names: Readonly<Record<string, string>>;
}

interface NavigationPlace {
  readonly icon: IconName;
  readonly word: string;
  readonly isMore?: true;
}

/** A screen as the frame knows it: a row of `screens.ts`. */
export interface Screen {
  /** Of the URL behind `#/`; `:job` takes any name. */
  readonly path: readonly string[];
  /** Of the window; `:job` is replaced by the name. */
  readonly title: string;
  /** It stands in the navigation; `isMore`: behind the others, where there is room for few. */
  readonly inNavigation?: NavigationPlace;
  /** What the reader needs to see it; without, anybody may. */
  readonly needs?: Role;
  /** Typed behind `g`, it leads here. */
  readonly letter?: string;
  /** Loads its code, when it is needed. */
  load(): Promise<ComponentType<ScreenProps>>;
}

/** The screen of a path and the names in it; null: there is none. */
export function findScreen(screens: readonly Screen[], path: readonly string[]) {
  for (const screen of screens) {
    const names = namesOf(screen.path, path);
    if (names !== null) return { screen, names };
  }
  return null;
}

function namesOf(pattern: readonly string[], path: readonly string[]) {
  if (pattern.length !== path.length) return null;
  const names: Record<string, string> = {};
  for (const [at, part] of pattern.entries()) {
    const given = path[at] ?? '';
    if (part.startsWith(':')) names[part.slice(1)] = given;
    else if (part !== given) return null;
  }
  return names;
}
