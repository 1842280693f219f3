// A subject is registered once: its calls stand in the list of all.
import { expect, test } from 'bun:test'
import { endpoints } from '../src/index.ts'

const SOURCES = `${import.meta.dir}/../src`

test('every call of a subject is in the list of all calls', async () => {
  const missing: string[] = []
  for (const file of new Bun.Glob('*/**/*.ts').scanSync(SOURCES)) {
    const module: Record<string, object> = await import(`${SOURCES}/${file}`)
    for (const [name, calls] of Object.entries(module))
      if (name.endsWith('Endpoints')) missing.push(...Object.keys(calls).filter(key => !Object.hasOwn(endpoints, key)))
  }
  expect(missing).toEqual([])
})
