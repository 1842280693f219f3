import { expect, test } from 'bun:test'
import path from 'node:path'
import postcss from 'postcss'
import { createLaraTheme } from '../build/lara.ts'
import { createThemePlugins } from '../build/postcss.ts'
import { remoteShared, shellShared } from '../build/sharing.ts'

const primereact = path.join(import.meta.dirname, '../node_modules/primereact')
const themeFile = path.join(primereact, 'resources/themes/lara-light-blue/theme.css')

test('PrimeReact is the version under the MIT licence', async () => {
  const { version, license } = await Bun.file(path.join(primereact, 'package.json')).json()
  expect([version, license]).toEqual(['10.9.9', 'MIT'])
})

test('PrimeReact’s theme comes out without fonts and without a colour of its own', async () => {
  const css = await runLara(await Bun.file(themeFile).text())
  expect(css).toContain('.p-dropdown')
  expect(css).not.toContain('@font-face')
  expect(css).not.toContain('.p-datatable')
  expect(css.match(/#[0-9a-f]{3,8}\b|rgba?\(/gi)).toBeNull()
})

test('a colour nobody has mapped stops the build and is named', async () => {
  const error = await runLara('@layer primereact { .p-dropdown { color: #123456 } }').catch(String)
  expect(error).toContain('color #123456 (.p-dropdown)')
})

test('a remote’s utilities hold only inside its own area', async () => {
  const plugins = createThemePlugins('/x/styles.css', import.meta.dirname, 'mfe_tickets', false).slice(1)
  const { css } = await postcss(plugins).process('@layer utilities { .hidden { display: none } } .own { color: red }', {
    from: undefined,
  })
  expect(css).toContain(':where([data-remote="mfe_tickets"]) .hidden')
  expect(css).toContain(' .own {')
})

test('a remote brings no second session, socket or router', () => {
  const bare = Object.entries(remoteShared).filter(([, value]) => 'import' in value && value.import === false)
  expect(Object.keys(remoteShared).sort()).toEqual(Object.keys(shellShared).sort())
  expect(bare.map(([key]) => key).sort()).toEqual(
    Object.keys(shellShared)
      .filter(key => !key.startsWith('react'))
      .sort(),
  )
})

async function runLara(css: string) {
  return (await postcss([createLaraTheme()]).process(css, { from: undefined })).css
}
