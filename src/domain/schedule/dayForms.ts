/** The day items that are more than a number: `L-3`, `LW`, `15W`, `L-2W`; `5L`, `5#3`. */
export type DayForm =
  | { readonly kind: 'last'; readonly before: number; readonly workday: boolean }
  | { readonly kind: 'nearest'; readonly day: number }
  | { readonly kind: 'lastWeekday'; readonly weekday: number }
  | { readonly kind: 'nth'; readonly weekday: number; readonly nth: number };

/**
 * The day of the month that a form names, or 0 when that month has none: a month without day n has
 * no `nW`, one with four Fridays no `5#5`. `W` is the nearest Monday to Friday in the same month.
 * @param length days of the month, 28–31
 * @param firstWeekday weekday of its first day, Sunday 0
 */
export function dayOfForm(form: DayForm, length: number, firstWeekday: number): number {
  switch (form.kind) {
    case 'last': {
      const day = length - form.before;
      if (day < 1) return 0;
      return form.workday ? nearestWorkday(day, length, firstWeekday) : day;
    }
    case 'nearest':
      return form.day > length ? 0 : nearestWorkday(form.day, length, firstWeekday);
    case 'lastWeekday': {
      const first = 1 + ((form.weekday - firstWeekday + 7) % 7);
      return first + 7 * Math.floor((length - first) / 7);
    }
    case 'nth': {
      const day = 1 + ((form.weekday - firstWeekday + 7) % 7) + 7 * (form.nth - 1);
      return day > length ? 0 : day;
    }
  }
}

function nearestWorkday(day: number, length: number, firstWeekday: number): number {
  const weekday = (firstWeekday + day - 1) % 7;
  if (weekday === 6) return day > 1 ? day - 1 : day + 2;
  if (weekday === 0) return day < length ? day + 1 : day - 2;
  return day;
}
