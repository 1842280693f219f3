import { expect, test } from 'bun:test'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { keepFormer } from '../build/former.ts'

test('a build keeps the files of the version before, packed ones too, and takes away older ones; the same again changes nothing', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'balcao-build-'))
  const build = async (...names: string[]) => {
    for (const name of names)
      for (const end of ['', '.gz']) await Bun.write(path.join(folder, 'assets', name + end), name)
    await keepFormer(folder, ['index.html', ...names.map(name => `assets/${name}`)])
    return (await readdir(path.join(folder, 'assets'))).filter(name => /\.js$/.test(name)).sort()
  }
  try {
    expect(await build('a.1.js', 'b.1.js')).toEqual(['a.1.js', 'b.1.js'])
    expect(await build('a.2.js', 'b.1.js')).toEqual(['a.1.js', 'a.2.js', 'b.1.js'])
    expect(await build('a.2.js', 'b.1.js')).toEqual(['a.1.js', 'a.2.js', 'b.1.js'])
    expect(await build('a.3.js', 'b.2.js')).toEqual(['a.2.js', 'a.3.js', 'b.1.js', 'b.2.js'])
    expect(await Bun.file(path.join(folder, 'assets/a.1.js.gz')).exists()).toBe(false)
    expect(await Bun.file(path.join(folder, 'assets/a.2.js.gz')).exists()).toBe(true)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
