import type { LayoutOptions } from 'elkjs/lib/elk.bundled.js';

/** elk's options for a state with children; the header stands in the padding above them. */
export function layoutOptions(header: {
  isRoot: boolean;
  width: number;
  height: number;
}): LayoutOptions {
  const side = header.isRoot ? 28 : 18;
  const top = header.height + (header.isRoot ? 30 : 14);
  const bottom = header.isRoot ? 30 : 18;
  return {
    ...(header.isRoot ? graphOptions : {}),
    'elk.padding': `[top=${top},left=${side},bottom=${bottom},right=${side}]`,
    'elk.nodeSize.constraints': 'MINIMUM_SIZE',
    'elk.nodeSize.minimum': `(${header.width},${header.height})`,
    ...spacing,
  };
}

/** The ways that are tried for a chart; the lifecycle is short enough to run from left to right. */
export function waysOf(chartId: string): LayoutOptions[] {
  const direction = chartId === 'lifecycle' ? 'RIGHT' : 'DOWN';
  return layerings.flatMap((layering) =>
    labelLayers.map((layer) => ({
      'elk.direction': direction,
      'elk.layered.layering.strategy': layering,
      'elk.layered.edgeLabels.centerLabelPlacementStrategy': layer,
    })),
  );
}

const layerings = ['NETWORK_SIMPLEX', 'LONGEST_PATH'];
const labelLayers = ['TAIL_LAYER', 'MEDIAN_LAYER', 'SPACE_EFFICIENT_LAYER'];

const spacing: LayoutOptions = {
  'elk.spacing.nodeNode': '28',
  'elk.spacing.edgeNode': '18',
  'elk.spacing.edgeEdge': '14',
  'elk.spacing.nodeSelfLoop': '22',
  'elk.layered.spacing.nodeNodeBetweenLayers': '28',
  'elk.layered.spacing.edgeNodeBetweenLayers': '18',
  'elk.layered.spacing.edgeEdgeBetweenLayers': '14',
};

const graphOptions: LayoutOptions = {
  'elk.algorithm': 'layered',
  'elk.hierarchyHandling': 'INCLUDE_CHILDREN',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.json.edgeCoords': 'ROOT',
  'elk.json.shapeCoords': 'ROOT',
  'elk.randomSeed': '7',
  'elk.layered.cycleBreaking.strategy': 'GREEDY',
  'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX',
  'elk.layered.thoroughness': '60',
};

/**
 * For the arrows that lead on: elk turns others round first, and keeps these straight. The nearer
 * to the beginning, the more it matters, so that the first state is at the top.
 */
export function forwardOptions(distance: number | undefined): LayoutOptions {
  if (distance === undefined) return {};
  return {
    'elk.layered.priority.direction': String(Math.max(4, 4096 >> (2 * distance))),
    'elk.layered.priority.straightness': '10',
  };
}
