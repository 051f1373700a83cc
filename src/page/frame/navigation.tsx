import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { caller, isBehindProxy, logOut, whyNotAllowed } from '../api/session.ts';
import { Icon } from '../parts/icons.tsx';
import { colours, zone } from '../state/choices.ts';
import { quarter } from '../state/clock.ts';
import { isNarrow } from '../state/isNarrow.ts';
import { linkTo, place } from '../state/place.ts';
import { zoneName } from '../text/formatTime.ts';
import { showLine } from '../text/showControls.ts';
import { callerText } from './callerText.ts';
import { useFailingTargets } from './failingTargets.ts';
import { helpIsOpen } from './helpDialog.tsx';
import type { Screen } from './screen.ts';
import { StreamNote } from './streamNote.tsx';

interface NavigationProps {
  readonly screens: readonly Screen[];
  /** To the contents of the screen. */
  onSkip(event: Event): void;
}

/** So many fit beside the menu, at 360 pixels. */
const placesMax = 5;

/** The rail at the left, at the bottom of a narrow screen: where one can go, and who one is. */
export function Navigation({ screens, onSkip }: NavigationProps): JSX.Element {
  const shown = screens.filter(
    ({ inNavigation, needs }) =>
      inNavigation !== undefined && (needs === undefined || whyNotAllowed(needs) === null),
  );
  const most = isNarrow.value ? placesMax : shown.length;
  const first = shown.filter(({ inNavigation }) => !inNavigation?.isMore).slice(0, most);
  const more = shown.filter((screen) => !first.includes(screen));
  const failing = useFailingTargets();
  return (
    <nav class="rail" aria-label="Main">
      <a class="skip" href={linkTo(place.value.path)} onClick={onSkip}>
        Skip to the contents
      </a>
      <a class="brand" href={linkTo([])}>
        <Mark />
        <span>statecron</span>
      </a>
      <div class="places">
        <Places screens={first} />
        {!isNarrow.value && <Places screens={more} failing={failing} />}
      </div>
      {isNarrow.value && <MorePlaces screens={more} failing={failing} />}
      <div class="below">
        <StreamNote />
        <ZoneChoice />
        <Who />
      </div>
    </nav>
  );
}

interface PlacesProps {
  readonly screens: readonly Screen[];
  /** Targets of notifications that cannot be sent to. */
  readonly failing?: readonly string[];
}

function Places({ failing = [], screens }: PlacesProps): JSX.Element {
  return (
    <ul>
      {screens.map(({ inNavigation, path }) => (
        <li key={path.join('/')}>
          <a href={linkTo(path)} aria-current={isHere(path) ? 'page' : undefined}>
            {inNavigation && <Icon name={inNavigation.icon} />}
            <span>{inNavigation?.word}</span>
            {inNavigation?.icon === 'bell' && <Failing targets={failing} />}
          </a>
        </li>
      ))}
    </ul>
  );
}

function Failing({ targets }: { readonly targets: readonly string[] }): JSX.Element | null {
  if (targets.length === 0) return null;
  const text = `The last try failed: ${showLine(targets.join(', '))}`;
  return (
    <span class="fails" title={text}>
      <span class="unseen">{text}</span>
    </span>
  );
}

function isHere(path: readonly string[]): boolean {
  return (path[0] ?? '') === (place.value.path[0] ?? '');
}

/** On a narrow screen the lesser ones are in a menu, which closes when one goes elsewhere. */
function MorePlaces({ failing = [], screens }: PlacesProps): JSX.Element {
  const isOpen = useSignal(false);
  const box = useRef<HTMLDivElement>(null);
  const here = place.value;
  useEffect(() => {
    isOpen.value = false;
  }, [here, isOpen]);
  useEffect(() => {
    const onElsewhere = ({ target }: Event) => {
      if (!box.current?.contains(target as Node)) isOpen.value = false;
    };
    const onKey = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape' || !isOpen.value) return;
      isOpen.value = false;
      box.current?.querySelector('button')?.focus();
    };
    const leaving = new AbortController();
    const { signal } = leaving;
    document.addEventListener('pointerdown', onElsewhere, { signal });
    document.addEventListener('focusin', onElsewhere, { signal });
    document.addEventListener('keydown', onKey, { signal });
    return () => leaving.abort();
  }, [isOpen]);
  return (
    <div ref={box} class="more">
      <button
        type="button"
        class={screens.some(({ path }) => isHere(path)) ? 'is-here' : ''}
        aria-expanded={isOpen.value}
        onClick={() => {
          isOpen.value = !isOpen.value;
        }}
      >
        More
        <Failing targets={failing} />
      </button>
      {isOpen.value && (
        <div class="menu">
          <Places screens={screens} failing={failing} />
          <ZoneChoice />
        </div>
      )}
    </div>
  );
}

/** The lifecycle in small: two states, and the way round. */
function Mark(): JSX.Element {
  return (
    <svg class="mark" viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
      <path d="M12 3.5a8.5 8.5 0 1 1-8.1 5.9" />
      <path d="M12 7.5V12l3 2" />
      <circle cx="6" cy="5.6" r="2.6" />
    </svg>
  );
}

/** In which zone times are shown, everywhere. */
function ZoneChoice(): JSX.Element {
  const choose = async () => (await import('../pick/pickZone.ts')).pickZone();
  return (
    <div class="zone">
      <span class="quiet">Times in</span>
      <button
        type="button"
        class="button plain"
        title={`${zone.value}: ${zoneName(zone.value, quarter.value)}`}
        aria-label={`Times in ${zone.value}: choose another zone`}
        aria-haspopup="dialog"
        onClick={choose}
      >
        <span>{zone.value}</span>
      </button>
    </div>
  );
}

function Who(): JSX.Element {
  const { groups = null, name = '', role = '' } = caller.value ?? {};
  const [group = '', ...others] = groups ?? [];
  const many = others.length === 0 ? `groups: ${showLine(group)}` : `${others.length + 1} groups`;
  const seen = groups === null ? '' : `, ${many}`;
  return (
    <div class="who">
      <p title={callerText()}>
        <strong>{showLine(name)}</strong>
        <span class="quiet">
          {role}
          {seen}
        </span>
      </p>
      <div class="tools">
        <button type="button" class="button quiet" title="Dark or light" onClick={turnColours}>
          <Icon name={isDark() ? 'sun' : 'moon'} />
          <span class="unseen">{isDark() ? 'Light colours' : 'Dark colours'}</span>
        </button>
        <button
          type="button"
          class="button quiet"
          title="Keys (?)"
          onClick={() => {
            helpIsOpen.value = true;
          }}
        >
          <Icon name="help" />
          <span class="unseen">Keys and help</span>
        </button>
        {!isBehindProxy && (
          <button type="button" class="button quiet" title="Log out" onClick={logOut}>
            <Icon name="leave" />
            <span class="unseen">Log out</span>
          </button>
        )}
      </div>
    </div>
  );
}

function isDark(): boolean {
  if (colours.value !== 'system') return colours.value === 'dark';
  return matchMedia('(prefers-color-scheme: dark)').matches;
}

function turnColours(): void {
  colours.value = isDark() ? 'light' : 'dark';
}
