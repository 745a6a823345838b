/** What the report of a fit has beyond every page. */
export const fitStyle: string = `:root { --good: #3f74ad; --bad: #c8102e; --robust: #12558f; --plain: #a1601b; --card: #ffffff; --track: #e8ecf1; --warn: #fff6e0; }
:root[data-theme=dark] { color-scheme: dark; --ink: #e6e8eb; --soft: #a2abb6; --line: #363c45; --paper: #14171b; --tint: #14171b; --good: #6ea8e0; --bad: #ff5c72; --robust: #8cc4ff; --plain: #e0a45c; --card: #1a1e23; --track: #2a3038; --warn: #33290f; --edge: #000000b0; }
@media (prefers-color-scheme: dark) { :root:not([data-theme=light]) { --good: #6ea8e0; --bad: #ff5c72; --robust: #8cc4ff; --plain: #e0a45c; --card: #1a1e23; --track: #2a3038; --warn: #33290f; --edge: #000000b0; } }
:root[data-theme=light] { color-scheme: light; --ink: #1c1f24; --soft: #5b636e; --line: #d9dde3; --paper: #ffffff; --tint: #f5f7f9; --edge: #1c1f2433; }
main, footer, .bar-inner { max-width: 1080px; }
main { padding-top: 1.6rem; }
h1 { overflow-wrap: anywhere; }
h2 { border: 0; padding: 0; margin: 2.4rem 0 .5rem; scroll-margin-top: 5.5rem; }
h3 { font-size: 1rem; margin: 0 0 .2rem; overflow-wrap: anywhere; }
.lead { font-size: 1.15rem; color: var(--ink); }
.note { color: var(--soft); font-size: .9rem; }
.skip { position: absolute; left: -999px; }
.skip:focus { left: 1rem; top: 1rem; z-index: 9; background: var(--card); padding: .5rem 1rem; }
.top-line { display: flex; justify-content: space-between; gap: 1rem; align-items: baseline; color: var(--soft); font-size: .9rem; }
button { font: inherit; font-size: .9rem; color: var(--ink); background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: .4rem .8rem; cursor: pointer; white-space: nowrap; }
button:disabled { opacity: .5; cursor: default; } button:hover { border-color: var(--good); }
:focus-visible { outline: 3px solid var(--good); outline-offset: 2px; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(170px, 1fr)); gap: .8rem; margin: 1.2rem 0; padding: 0; max-width: none; }
.tiles > div { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: .8rem 1rem; }
.tiles dt { color: var(--soft); font-size: .85rem; }
.tiles dd { margin: 0; font-size: 1.5rem; font-weight: 650; line-height: 1.3; overflow-wrap: anywhere; }
.tiles dd.bad { color: var(--bad); }
.tiles dd small { display: block; font-size: .82rem; font-weight: 400; color: var(--soft); }
.cautions { background: var(--warn); border: 1px solid var(--line); border-left: 4px solid var(--plain); border-radius: 8px; padding: .7rem 1rem; margin: 1rem 0; max-width: none; list-style: none; }
.cautions li + li { margin-top: .4rem; }
.bar { position: sticky; top: 0; z-index: 5; background: var(--card); border-top: 1px solid var(--line); border-bottom: 1px solid var(--line); }
.bar-inner { margin: 0 auto; padding: .55rem 1.25rem; display: flex; flex-wrap: wrap; align-items: center; gap: .4rem 1rem; font-size: .92rem; }
.bar label { white-space: nowrap; }
.bar input { flex: 1 1 160px; min-width: 110px; accent-color: var(--bad); }
.bar output { font-variant-numeric: tabular-nums; font-weight: 650; }
#flagged-count { min-width: 9.5em; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 430px), 1fr)); gap: 1rem; }
.figures figure, .card { margin: 0; background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: .9rem 1rem; min-width: 0; }
.figures svg.rlvi-plot { display: block; width: 100%; height: auto; max-width: 560px; margin: 0 auto; overflow: visible; }
.figures > figure:only-child { max-width: 680px; } .figures > figure:only-child svg.rlvi-plot { max-width: 600px; }
.figures figcaption { margin: .4rem 0 0; font-size: .86rem; }
.grid { stroke-opacity: .12; }
.dots circle { r: 2.6px; stroke: none; fill-opacity: .62; }
.shade4 { fill: var(--good); } .shade3 { fill: color-mix(in oklab, var(--bad) 30%, var(--good)); } .shade2 { fill: color-mix(in oklab, var(--bad) 55%, var(--good)); } .shade1 { fill: color-mix(in oklab, var(--bad) 80%, var(--good)); } .shade0 { fill: var(--bad); }
.few .dots circle { r: 4px; fill-opacity: .8; }
.dots circle.flagged { r: 4.4px; fill-opacity: .75; stroke: var(--bad); stroke-width: 1.6px; }
.many .dots circle.flagged { r: 2.8px; stroke-width: .6px; fill-opacity: .55; }
.bars { fill: var(--good); } .bars .flagged { fill: var(--bad); }
.threshold { stroke: var(--ink); stroke-width: 1.6px; }
.legend { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; font-size: .86rem; color: var(--soft); margin: .2rem 0 .8rem; padding: 0; list-style: none; max-width: none; }
.legend li { display: flex; align-items: center; gap: .4rem; }
.ramp { width: 70px; height: 10px; border-radius: 5px; background: linear-gradient(to right in oklab, var(--bad), var(--good)); }
.ring { width: 11px; height: 11px; border-radius: 50%; border: 2px solid var(--bad); }
.stroke { width: 22px; border-top: 3px solid var(--robust); } .stroke.plain { border-top: 3px dashed var(--plain); }
.columns { list-style: none; padding: 0; margin: .6rem 0; max-width: none; display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 235px), 1fr)); gap: .8rem; }
.column { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: .7rem .85rem; min-width: 0; }
.column.target { border-color: var(--robust); box-shadow: inset 0 3px 0 var(--robust); }
.column.left-out, .column.problem { background: none; border-style: dashed; }
.column p { margin: 0; }
.column-name { display: flex; justify-content: space-between; gap: .6rem; align-items: baseline; }
.column-name strong { overflow: hidden; overflow-wrap: anywhere; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; line-height: 1.3; }
.kind, .facts, .use { color: var(--soft); font-size: .82rem; line-height: 1.45; overflow-wrap: anywhere; }
.kind { white-space: nowrap; }
.gap { color: var(--plain); font-weight: 600; }
.use span { font-weight: 650; color: var(--ink); } .problem .use span { color: var(--bad); }
.spark { display: block; width: 100%; height: 34px; margin: .4rem 0 .3rem; } .spark path { fill: var(--good); }
.left-out .spark path, .problem .spark path { fill: var(--soft); }
.top { list-style: none; padding: 0; margin: .4rem 0 .3rem; font-size: .8rem; }
.top li { position: relative; display: flex; justify-content: space-between; gap: .5rem; padding: 0 .3rem; line-height: 1.45; }
.top .fill { position: absolute; inset: 1px auto 1px 0; background: var(--good); opacity: .22; border-radius: 3px; }
.top .value { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
details { margin: .6rem 0; } summary { cursor: pointer; }
.table { border: 1px solid var(--line); border-radius: 10px; padding: .3rem .6rem; margin: .6rem 0 1rem; }
table { min-width: 100%; }
th[scope=row] { border-bottom: 1px solid var(--line); }
tbody tr:last-child > * { border-bottom: 0; }
.params th[scope=row] { font-weight: 500; min-width: 7rem; max-width: 15rem; white-space: normal; overflow-wrap: anywhere; }
.strong { font-weight: 650; color: var(--robust); } td.plain { color: var(--plain); } .soft { color: var(--soft); }
.forest svg { display: block; } .forest line { stroke-width: 3px; stroke-linecap: round; }
.forest .robust { stroke: var(--robust); fill: var(--robust); } .forest .plain { stroke: var(--plain); fill: var(--plain); } .forest .zero { stroke: var(--line); stroke-width: 1.5px; }
.key { font-weight: 500; font-size: .8rem; margin-right: .5rem; } .key.robust { color: var(--robust); } .key.plain { color: var(--plain); } .key::before { content: "\\25CF\\00A0"; }
#rows th button { border: 0; background: none; padding: 0; font-weight: 600; font-size: inherit; }
#rows th[aria-sort=ascending] button::after { content: " \\2191"; } #rows th[aria-sort=descending] button::after { content: " \\2193"; }
#rows th.number button { text-align: right; }
#rows td.why { white-space: normal; min-width: 15rem; max-width: 26rem; }
#rows td { max-width: 16rem; overflow: hidden; text-overflow: ellipsis; }
#rows tbody tr:hover, #rows tbody tr:hover > :first-child { background: var(--tint); }
.table:has(#rows) { padding-left: 0; } #rows th:first-child, #rows td:first-child { position: sticky; left: 0; padding-left: 1rem; background: var(--card); }
.sort { display: none; gap: .6rem; align-items: center; font-size: .9rem; } .sort select { font: inherit; color: var(--ink); background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: .4rem; min-width: 0; max-width: 60vw; }
.row-tools { display: flex; flex-wrap: wrap; gap: .8rem; align-items: center; }
.matrix { min-width: 0; } .matrix td { text-align: right; font-variant-numeric: tabular-nums; min-width: 3.2rem; background: color-mix(in srgb, var(--bad) calc(100% * var(--strength, 0)), transparent); }
.matrix td.same { color: var(--soft); background: none; } .matrix th { max-width: 12rem; overflow: hidden; text-overflow: ellipsis; } .matrix thead th { text-align: right; }
.made { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1.2rem; font-size: .9rem; margin: .6rem 0; }
.made dt { color: var(--soft); } .made dd { margin: 0; overflow-wrap: anywhere; }
#tip { position: fixed; pointer-events: none; z-index: 9; background: var(--ink); color: var(--paper); font-size: .8rem; padding: .2rem .5rem; border-radius: 5px; max-width: 20rem; }
[hidden] { display: none !important; }
@media (max-width: 560px) { main { padding: 1rem .8rem; } .bar-inner { padding: .45rem .8rem; } .bar label { white-space: normal; } h1 { font-size: 1.4rem; } .lead { font-size: 1.05rem; } .tiles { grid-template-columns: 1fr 1fr; gap: .5rem; } .tiles dd { font-size: 1.2rem; } .columns { grid-template-columns: repeat(auto-fill, minmax(158px, 1fr)); gap: .5rem; } .column { padding: .55rem .6rem; } .column-name { display: block; } .figures figure { padding: .7rem .5rem; } .bar input { flex-basis: 100%; order: 3; } .made { grid-template-columns: 1fr; } .made dd { margin-bottom: .4rem; }
.sort { display: flex; } .table:has(#rows) { padding: 0; background: none; border: 0; overflow: visible; } #rows, #rows tbody { display: block; } #rows thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); visibility: hidden; }
#rows tr { display: block; background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: .5rem .7rem; margin-bottom: .6rem; } #rows td, #rows td.why, #rows td:first-child { display: grid; grid-template-columns: minmax(0, 9rem) minmax(0, 1fr); gap: .8rem; position: static; border: 0; padding: .1rem 0; min-width: 0; max-width: none; background: none; text-align: left; white-space: normal; overflow-wrap: anywhere; }
#rows td::before { content: attr(data-name); color: var(--soft); overflow: hidden; text-overflow: ellipsis; } #rows td:empty { display: none; } .matrix th, .matrix td { padding: .3rem .4rem; } #flagged-count { min-width: 7.5em; } .bar button { padding: .25rem .6rem; }
.params, .params tbody { display: block; } .params thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.params tr { display: grid; grid-template-columns: minmax(9.5rem, max-content) 1fr; gap: 0 .9rem; padding: .5rem .1rem; border-bottom: 1px solid var(--line); } .params tr:last-child { border: 0; }
.params tr > * { border: 0; padding: 0; } .params th[scope=row] { grid-column: 1 / -1; max-width: none; white-space: normal; overflow-wrap: anywhere; font-weight: 600; }
.params td.strong, .params td.plain { grid-column: 1; display: flex; justify-content: space-between; gap: .8rem; } .params td.soft { text-align: left; white-space: normal; }
.params td.strong::before { content: "good rows"; font-weight: 400; } .params td.plain::before { content: "all rows"; } .params .forest { grid-column: 1 / -1; padding-top: .2rem; } }
@media print { .bar { position: static; } .figures figure { break-inside: avoid; } }`
