// A setting that two people write: what one of them saved is gone over only by who was shown it.
import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { Server } from 'bun'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { startPageServer, waitUntil } from '../../ui/test/page.ts'
import { GROUPS, type Item } from '../src/settings/items.ts'
import '../src/settings/texts.ts'
import { drafts, useDraft } from '../src/settings/use-draft.ts'
import { useSettings } from '../src/settings/use-settings.ts'

const KEY = 'msgOutOfTime'
let server: Server<undefined>
let root: Root
let stored: { key: string; value: string; version: number }
let isUp: boolean
let sentVersions: number[]
let page: { readonly desk: ReturnType<typeof useSettings>; readonly draft: ReturnType<typeof useDraft> }

beforeEach(async () => {
  isUp = true
  sentVersions = []
  stored = { key: KEY, value: 'Estamos fechados.', version: 3 }
  server = startPageServer({
    async fetch(request) {
      if (request.method === 'GET') return Response.json([stored])
      const { values, versions }: { values: Record<string, string>; versions: Record<string, number> } =
        await request.json()
      sentVersions.push(versions[KEY] ?? 0)
      if (!isUp) return Response.json({ error: 'ERR_INTERNAL', message: 'Algo deu errado.' }, { status: 500 })
      if ((versions[KEY] ?? 0) < stored.version)
        return Response.json({ error: 'ERR_CHANGED_MEANWHILE', message: '', details: [stored] }, { status: 409 })
      stored = { key: KEY, value: values[KEY] ?? '', version: stored.version + 1 }
      return Response.json([stored])
    },
  })
  root = createRoot(document.body.appendChild(document.createElement('div')))
  const item = findItem()
  await act(async () => root.render(<Row item={item} />))
  await waitUntil(() => page.desk.isThere, 'the settings are read')
})
afterEach(async () => {
  act(() => root.unmount())
  delete drafts[findItem().id]
  await server.stop(true)
})

test('a save that failed for another reason keeps what it was written over, and the next one is refused', async () => {
  act(() => page.draft.change(KEY, 'Voltamos às 8h.'))
  await saveElsewhere('Voltamos às 9h.')
  isUp = false
  await save(1)
  isUp = true
  await save(2)
  expect([sentVersions, stored.value]).toEqual([[3, 3], 'Voltamos às 9h.'])
  // What the other one saved was told with the refusal.
  await save(3)
  expect([sentVersions, stored.value]).toEqual([[3, 3, 4], 'Voltamos às 8h.'])
})

async function saveElsewhere(value: string) {
  stored = { key: KEY, value, version: stored.version + 1 }
  await act(() => page.desk.load())
  await waitUntil(() => page.desk.text(KEY) === value, 'it is heard of')
}

async function save(times: number) {
  act(() => page.draft.save())
  await waitUntil(() => sentVersions.length === times && !page.draft.busy, `it is answered ${times} times`)
}

function findItem(): Item {
  const item = GROUPS.flatMap(({ items }) => items).find(({ keys }) => keys.includes(KEY))
  if (!item) throw new Error('no row has it')
  return item
}

function Row({ item }: { readonly item: Item }) {
  const desk = useSettings()
  page = { desk, draft: useDraft({ item, desk, marked: [] }) }
  return null
}
