/** How a piece of text is set; every size is in pixels of the drawing. */
export interface TextStyle {
  readonly size: number;
  readonly bold: boolean;
}

/**
 * The width that a text needs, measured for the widest of the fonts that the stack may come to
 * (DejaVu Sans, Liberation Sans, Inter), so that it overflows with none of them.
 */
export function measureText(text: string, style: TextStyle): number {
  const widths = style.bold ? boldWidths : regularWidths;
  let thousandths = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    thousandths += widths[code - firstCode] ?? otherWidth;
  }
  return (thousandths * style.size) / 1000;
}

/** Breaks a text at spaces into lines no wider than `widthMax`; a longer word stands alone. */
export function wrapText(text: string, style: TextStyle, widthMax: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').filter((piece) => piece !== '')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && measureText(longer, style) > widthMax) {
      lines.push(line);
      line = word;
    } else {
      line = longer;
    }
  }
  if (line !== '') lines.push(line);
  return lines;
}

/** Advance widths of U+0020 to U+007E in thousandths of the font's size. */
const firstCode = 0x20;
const otherWidth = 1000;
const regularWidths = [
  318, 401, 460, 838, 638, 951, 780, 275, 391, 391, 500, 838, 318, 461, 318, 357, 637, 637, 637,
  637, 643, 637, 637, 637, 637, 637, 337, 337, 838, 838, 838, 557, 1016, 685, 687, 728, 771, 667,
  611, 778, 752, 295, 543, 667, 563, 890, 753, 788, 667, 788, 723, 667, 643, 742, 685, 989, 686,
  667, 686, 391, 357, 391, 838, 557, 500, 613, 635, 559, 635, 616, 361, 635, 634, 278, 278, 580,
  278, 975, 634, 612, 635, 635, 412, 523, 393, 634, 592, 818, 592, 592, 542, 637, 337, 637, 838,
];
const boldWidths = [
  349, 457, 521, 838, 696, 1002, 873, 307, 458, 458, 565, 838, 380, 469, 380, 390, 696, 696, 696,
  696, 696, 696, 696, 696, 696, 696, 400, 400, 838, 838, 838, 611, 1031, 774, 763, 753, 831, 684,
  684, 821, 837, 373, 570, 775, 638, 996, 837, 851, 733, 851, 771, 721, 683, 813, 774, 1104, 771,
  725, 726, 458, 390, 458, 838, 557, 500, 675, 716, 593, 716, 679, 436, 716, 712, 343, 343, 666,
  343, 1042, 712, 688, 716, 716, 494, 596, 479, 712, 652, 924, 646, 652, 583, 712, 374, 712, 838,
];
