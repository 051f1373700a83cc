/** The style of the pages at /docs, for screens of 360 pixels and more, light and dark. */
export const docsStyle = `
:root { color-scheme: light dark; --text: #1c2430; --page: #fff; --code: #eef1f5; --line: #d5dbe3;
  --link: #0a58b5; --quiet: #5a6675; --get: #d9edff; --post: #dcf5df; --put: #fff0cf;
  --delete: #ffdede; }
@media (prefers-color-scheme: dark) {
  :root { --text: #dde3ea; --page: #12161c; --code: #1e252f; --line: #2c3541; --link: #9fd0ff;
    --quiet: #9aa7b5; --get: #123a5c; --post: #14451c; --put: #4d3a0c; --delete: #551b1b; }
}
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0; color: var(--text);
  background: var(--page); overflow-wrap: break-word; }
header { background: #1c2430; color: #fff; padding: 0.5rem 1rem; position: sticky; top: 0;
  display: flex; flex-wrap: wrap; gap: 0 1.5rem; align-items: baseline; }
header h1 { margin: 0; font-size: 1.2rem; } header a { color: #9fd0ff; margin-right: 0.5rem; }
a { color: var(--link); text-decoration: none; } a:hover { text-decoration: underline; }
main { max-width: 72rem; margin: 0 auto; padding: 1rem 1rem 4rem; }
h2 { border-bottom: 2px solid var(--line); margin-top: 3rem; } h3 { margin: 2rem 0 0.25rem; }
h3 a { color: inherit; }
section, article, tr { scroll-margin-top: 5rem; }
code, pre { font: 14px/1.45 ui-monospace, monospace; background: var(--code); }
code { padding: 0 0.25em; border-radius: 3px; }
pre { padding: 0.75rem; overflow-x: auto; border-radius: 4px; margin: 0.5rem 0; }
.get { background: var(--get); } .post { background: var(--post); }
.put, .patch { background: var(--put); } .delete { background: var(--delete); }
.role, .index span { color: var(--quiet); font-size: 0.85rem; }
.index { columns: 22rem; column-gap: 2rem; } .index div { break-inside: avoid-column; }
.index h3 { margin: 0 0 0.25rem; } .index ul { list-style: none; margin: 0 0 1.25rem; padding: 0; }
.index li { margin-bottom: 0.15rem; } .index span { display: block; }
table { border-collapse: collapse; width: 100%; font-size: 0.9rem; margin: 0.5rem 0; }
td { border-top: 1px solid var(--line); padding: 0.25rem 1rem 0.25rem 0; vertical-align: top; }
th { text-align: left; padding-right: 1rem; } img { max-width: 100%; } pre code { padding: 0; }
td:first-child > code { white-space: nowrap; }
tr:target td { background: var(--put); }
summary { cursor: pointer; color: var(--quiet); font-size: 0.9rem; }
@media (max-width: 45rem) {
  td { display: block; border: 0; padding: 0; } tr { display: block; padding: 0.4rem 0;
    border-top: 1px solid var(--line); }
  header { position: static; } section, article, tr { scroll-margin-top: 0.5rem; }
}
`;
