// The parts of the kit in every state, as one file that needs no server: `bun ui/gallery/build.ts` writes ui/gallery/dist/index.html.
// `index.html?part=table` shows one of them. `npm run gallery` photographs it, and the accessibility test reads it.
import path from 'node:path'
import tailwind from '@tailwindcss/postcss'
import postcss from 'postcss'
import { createLaraTheme } from '../build/lara.ts'

const here = import.meta.dirname
const LARA = path.join(here, '../node_modules/primereact/resources/themes/lara-light-blue/theme.css')
const STYLES = `
@layer theme, base, primereact, components, utilities;
@import "tailwindcss/theme.css" layer(theme);
@import "../src/kit/styles.css";
@import "../src/kit/theme/tailwind.css";
@import "tailwindcss/utilities.css" layer(utilities);
@source "../src/kit/screens";
@source "./";
`

const [script, styles, lists] = await Promise.all([buildScript(), buildStyles(), buildListStyles()])
const page = `<!doctype html><html lang="pt-BR"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>Peças do Balcão</title><style>${styles}\n${lists}</style><main id="app"></main>
<script type="module">${script.replaceAll('</script', '<\\/script')}</script></html>`
await Bun.write(path.join(here, 'dist/index.html'), page)

async function buildScript() {
  const built = await Bun.build({
    entrypoints: [path.join(here, 'main.tsx')],
    target: 'browser',
    minify: true,
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  const [script] = built.outputs.filter(output => output.kind === 'entry-point')
  if (!script) throw new Error('The parts could not be put together')
  return script.text()
}

async function buildStyles() {
  const plugins = [tailwind({ base: here, optimize: false })]
  return (await postcss(plugins).process(STYLES, { from: path.join(here, 'parts.css') })).css
}

async function buildListStyles() {
  return (await postcss([createLaraTheme()]).process(await Bun.file(LARA).text(), { from: undefined })).css
}
