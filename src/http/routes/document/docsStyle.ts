/** The style of the pages at /docs. */
export const docsStyle = `
body { font: 16px/1.5 system-ui, sans-serif; margin: 0; color: #1c2430; background: #fff; }
header { position: sticky; top: 0; background: #1c2430; color: #fff; padding: 0.5rem 1.5rem; }
header h1 { margin: 0; font-size: 1.2rem; } header a { color: #9fd0ff; }
main { max-width: 60rem; margin: 0 auto; padding: 1rem 1.5rem 4rem; }
h2 { border-bottom: 2px solid #d5dbe3; margin-top: 3rem; } h3 { margin: 1.5rem 0 0.25rem; }
section, article { scroll-margin-top: 5rem; }
code { font: 14px/1.4 ui-monospace, monospace; background: #eef1f5; padding: 0 0.25em; }
.get { background: #d9edff; } .post { background: #dcf5df; } .put, .patch { background: #fff0cf; }
.delete { background: #ffdede; } .role { color: #5a6675; font-size: 0.85rem; }
table { border-collapse: collapse; width: 100%; font-size: 0.9rem; }
td { border-top: 1px solid #e3e8ee; padding: 0.25rem 0.5rem; vertical-align: top; }
td:first-child { white-space: nowrap; }
@media (prefers-color-scheme: dark) {
  body { background: #12161c; color: #dde3ea; } code { background: #232a34; }
  .get { background: #123a5c; } .post { background: #14451c; } .put, .patch { background: #4d3a0c; }
  .delete { background: #551b1b; } h2, td { border-color: #2c3541; } a { color: #9fd0ff; }
}
`;
