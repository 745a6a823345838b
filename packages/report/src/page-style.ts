/** The look of a page: a column of text, wide figures and tables, light and dark. */
export const pageStyle: string = `:root { color-scheme: light dark; --ink: #1c1f24; --soft: #5b636e; --line: #d9dde3; --paper: #ffffff; --tint: #f5f7f9; --card: #ffffff; --edge: #1c1f2433; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e8eb; --soft: #a2abb6; --line: #363c45; --paper: #14171b; --tint: #14171b; --card: #1d2127; --edge: #000000b0; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--tint); color: var(--ink); font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
main { max-width: 1020px; margin: 0 auto; padding: 2.5rem 1.25rem 1rem; }
h1 { font-size: 1.75rem; line-height: 1.25; margin: 0 0 .5rem; }
h2 { font-size: 1.2rem; margin: 2.6rem 0 .6rem; padding-top: 1.2rem; border-top: 1px solid var(--line); }
p, ul { max-width: 46rem; }
.lead { color: var(--soft); font-size: 1.05rem; margin-top: 0; }
figure { margin: 1.6rem 0 2.2rem; background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: .9rem 1rem; }
.plot { overflow-x: auto; }
.plot svg { display: block; margin: 0 auto; max-width: 100%; height: auto; }
figcaption { color: var(--soft); font-size: .9rem; line-height: 1.5; max-width: 46rem; margin: .6rem auto 0; }
figcaption p { margin: 0 0 .45rem; }
figcaption p:first-child { color: var(--ink); }
pre { background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: .7rem .9rem; overflow-x: auto; font: .85rem/1.5 ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace; }
.table { overflow-x: auto; margin: 1rem 0 2rem; background: linear-gradient(to right, var(--card) 30%, transparent) 0 0 / 44px 100% no-repeat local, linear-gradient(to left, var(--card) 30%, transparent) 100% 0 / 44px 100% no-repeat local, linear-gradient(to right, var(--edge), transparent) 0 0 / 16px 100% no-repeat scroll, linear-gradient(to left, var(--edge), transparent) 100% 0 / 16px 100% no-repeat scroll, var(--card); border: 1px solid var(--line); border-radius: 10px; padding: .3rem .6rem; }
table { border-collapse: collapse; font-size: .84rem; min-width: 60%; }
caption { text-align: left; color: var(--soft); padding-bottom: .4rem; }
th, td { padding: .3rem .55rem; text-align: left; white-space: nowrap; border-bottom: 1px solid var(--line); }
th { border-bottom: 2px solid var(--line); font-weight: 600; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
.gallery { display: grid; grid-template-columns: repeat(auto-fill, minmax(150px, 1fr)); gap: 1rem; margin: 1.4rem 0 2rem; }
.gallery figure { margin: 0; padding: 0; border-radius: 8px; overflow: hidden; }
.gallery img { display: block; width: 100%; height: auto; image-rendering: pixelated; }
.gallery img[src^="data:image/jpeg"] { image-rendering: auto; }
.gallery a { color: inherit; }
.gallery figcaption { margin: 0; padding: .5rem .6rem; font-size: .8rem; overflow-wrap: anywhere; }
.gallery figcaption p { margin: 0; }
footer { max-width: 1020px; margin: 0 auto; padding: 1rem 1.25rem 2.5rem; color: var(--soft); font-size: .85rem; }
@media print { body { background: none; } figure, tr { break-inside: avoid; } }`
