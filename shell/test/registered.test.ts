// A page is registered by two lines: with its screen in the remote, with its menu entry in `remotes.json`.
import { expect, test } from 'bun:test'
import remotes from '../remotes.json'

const ROOT = `${import.meta.dir}/../..`

test.each(remotes)('the pages of $name are in its App and in the menu', async ({ name, pages }) => {
  const folder = `${ROOT}/${name.replace('_', '-')}/src`
  const app = await Bun.file(`${folder}/App.tsx`).text()
  for (const file of new Bun.Glob('*/*Page.tsx').scanSync(folder))
    if ((await Bun.file(`${folder}/${file}`).text()).includes('export default ')) expect(app).toContain(`'./${file}'`)
  const paths = [...app.matchAll(/'(\/[\w-]*)': /g)].map(([, path]) => path)
  expect(paths.sort()).toEqual(pages.map(({ path }) => path.replace(/\/:.*/, '')).sort())
})
