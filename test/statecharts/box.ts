export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

/** Whether a line through these points, of straight pieces, runs through a box. */
export function crosses(points: readonly Point[], box: Box): boolean {
  return points.some((point, place) => {
    const before = points[place - 1];
    if (before === undefined) return false;
    const x = Math.min(before.x, point.x);
    const y = Math.min(before.y, point.y);
    const width = Math.abs(before.x - point.x);
    const height = Math.abs(before.y - point.y);
    return overlap({ x, y, width, height }, box);
  });
}

export function overlap(one: Box, other: Box): boolean {
  const isBeside = one.x + one.width <= other.x || other.x + other.width <= one.x;
  const isBelow = one.y + one.height <= other.y || other.y + other.height <= one.y;
  return !isBeside && !isBelow;
}

export function boxOf(shape: { x?: number; y?: number; width?: number; height?: number }): Box {
  return {
    x: round(shape.x),
    y: round(shape.y),
    width: round(shape.width),
    height: round(shape.height),
  };
}

/** Half pixels: fine enough to look at, coarse enough to be the same bytes everywhere. */
export function round(value = 0): number {
  return Math.round(value * 2) / 2;
}
