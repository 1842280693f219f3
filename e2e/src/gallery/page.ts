// The page that shows the whole gallery: one row a screen, filtered by typing, large on a click.
import type { Screen } from './stage.ts'

const SHOTS = ['desk-light', 'desk-dark', 'phone-light', 'phone-dark'] as const

export function renderGalleryPage(screens: readonly Screen[]): string {
  const rows = screens.map(
    ({ name, on }) =>
      `<section id="${name}"><h2>${name}</h2>${SHOTS.filter(shot => !on || shot.startsWith(on))
        .map(
          shot =>
            `<a href="${name}-${shot}.png"><img loading="lazy" class="${shot.split('-')[0]}" src="${name}-${shot}.png" alt="${name}, ${shot}"></a>`,
        )
        .join('')}</section>`,
  )
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Balcão: every screen</title>
<style>
body{margin:0;font:14px system-ui;background:#e9e6e0;color:#1c2333}
header{position:sticky;top:0;display:flex;gap:16px;align-items:center;padding:10px 20px;background:#fff;border-bottom:1px solid #ccc;z-index:1}
input{font:inherit;padding:6px 10px;width:260px}label{display:flex;gap:6px}
section{padding:6px 20px 18px;white-space:nowrap;overflow-x:auto}h2{font-size:14px;margin:10px 0 6px}
img{height:var(--h,300px);border:1px solid #bbb;background:#fff;margin-right:10px;vertical-align:top}
</style>
<header><strong>${screens.length} screens</strong><input type="search" placeholder="Filter" aria-label="Filter">
<label>Height <input type="range" min="150" max="900" value="300" style="width:160px"></label></header>
${rows.join('\n')}
<script>
const [filter, height] = document.querySelectorAll('input')
filter.oninput = () => { for (const s of document.querySelectorAll('section')) s.hidden = !s.id.includes(filter.value) }
height.oninput = () => document.body.style.setProperty('--h', height.value + 'px')
</script></html>`
}
