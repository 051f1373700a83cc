import type { LayoutOptions } from 'elkjs/lib/elk.bundled.js';

/** elk's options for a state with children; the header stands in the padding above them. */
export function layoutOptions(header: {
  isRoot: boolean;
  width: number;
  height: number;
}): LayoutOptions {
  const { height, isRoot, width } = header;
  const [top, side] = isRoot ? [2, 2] : [height + 4, 12];
  return {
    ...(isRoot ? graphOptions : {}),
    'elk.padding': `[top=${top},left=${side},bottom=${side},right=${side}]`,
    'elk.nodeSize.constraints': 'MINIMUM_SIZE',
    'elk.nodeSize.minimum': `(${width},${height})`,
    ...spacing,
  };
}

interface Way {
  readonly options: LayoutOptions;
  readonly labelWidthMax: number;
}

/** The ways that are tried for a chart; the lifecycle is short enough to run from left to right. */
export function waysOf(chartId: string): Way[] {
  const directions = chartId === 'lifecycle' ? ['RIGHT'] : ['DOWN', 'RIGHT'];
  return directions.flatMap((direction) =>
    layerings.flatMap((layering) =>
      labelLayers.map((layer) => ({
        options: {
          'elk.direction': direction,
          'elk.layered.layering.strategy': layering,
          'elk.layered.edgeLabels.centerLabelPlacementStrategy': layer,
        },
        // Beside each other narrow labels take less room, and low ones where they are stacked.
        labelWidthMax: direction === 'RIGHT' ? 130 : 200,
      })),
    ),
  );
}

const layerings = ['NETWORK_SIMPLEX', 'LONGEST_PATH'];
const labelLayers = ['TAIL_LAYER', 'MEDIAN_LAYER', 'SPACE_EFFICIENT_LAYER'];

const spacing: LayoutOptions = {
  'elk.spacing.nodeNode': '14',
  'elk.spacing.edgeNode': '10',
  'elk.spacing.edgeEdge': '8',
  'elk.spacing.nodeSelfLoop': '12',
  'elk.layered.spacing.nodeNodeBetweenLayers': '10',
  'elk.layered.spacing.edgeNodeBetweenLayers': '7',
  'elk.layered.spacing.edgeEdgeBetweenLayers': '7',
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
