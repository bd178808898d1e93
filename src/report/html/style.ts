import { createHash } from 'node:crypto';

/** Colours are GitHub's, light and dark; each pair of text and background has a contrast of 4.5 : 1 or more. */
export const style = `
:root{color-scheme:light dark;--text:#1f2328;--muted:#59636e;--back:#fff;--stripe:#f6f8fa;--line:#d1d9e0;--link:#0969da;--good:#1a7f37;--bad:#cf222e}
@media(prefers-color-scheme:dark){:root{--text:#f0f6fc;--muted:#9198a1;--back:#0d1117;--stripe:#151b23;--line:#3d444d;--link:#4493f8;--good:#3fb950;--bad:#f85149}}
*{box-sizing:border-box}
body{margin:0;background:var(--back);color:var(--text);font:15px/1.5 system-ui,sans-serif}
header,main,footer{max-width:1180px;margin:0 auto;padding:0 16px}
header{padding-top:24px}
h1{font-size:1.5rem;line-height:1.3;margin:0 0 8px;border-left:6px solid var(--good);padding-left:12px}
h1.against{border-color:var(--bad)}
h2{font-size:1.2rem;margin:32px 0 8px;padding-bottom:4px;border-bottom:1px solid var(--line)}
p,ul{margin:8px 0}
header p,footer{color:var(--muted)}
a{color:var(--link)}
.wide{overflow-x:auto;margin:12px 0}
table{border-collapse:collapse;font-variant-numeric:tabular-nums;width:max-content}
caption{text-align:left;font-weight:600;padding:4px 0}
th,td{border:1px solid var(--line);padding:4px 10px;text-align:left;vertical-align:top;max-width:23rem}
thead th{max-width:12rem}
th code{white-space:nowrap}
td code{overflow-wrap:anywhere}
thead th,tbody tr:nth-child(even){background:var(--stripe)}
tbody th{font-weight:400;max-width:36rem}
code,pre{font:13px/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
pre{overflow-x:auto;background:var(--stripe);padding:12px;border:1px solid var(--line);border-radius:6px}
figure{margin:16px 0}
img{max-width:100%;height:auto;border:1px solid var(--line);border-radius:6px}
details{margin:8px 0;border:1px solid var(--line);border-radius:6px;padding:6px 12px}
summary{cursor:pointer;font-weight:600}
footer{padding-bottom:32px;font-size:13px}
@media print{details{border:0}.wide{overflow:visible}}
`.trim();

/** Names the style to the browser, so that no other one is applied (Content Security Policy Level 3, 2.3.1). */
export const styleHash = `sha256-${createHash('sha256').update(style).digest('base64')}`;
