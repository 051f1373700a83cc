import { ts } from '@ts-morph/common';

// biome-ignore lint/style/noDefaultExport: it stands in for a module that has one
export default ts;
