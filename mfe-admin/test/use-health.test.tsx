// The health of a connection beside the list: told changes ask anew, and none of them gives up an answer that is on its way.
import { afterEach, expect, test } from 'bun:test'
import { endSession } from '@balcao/ui/session'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { startPageServer, waitUntil } from '../../ui/test/page.ts'
import { useHealth } from '../src/connections/doctor/use-health.ts'
import { makeConnection } from './connection.ts'

let root: Root | undefined
let stop: () => unknown = () => undefined
afterEach(async () => {
  act(() => root?.unmount())
  await stop()
  endSession()
})

test('an answer that is slower than the changes is shown, and asked for once more', async () => {
  const answers: PromiseWithResolvers<Response>[] = []
  const server = startPageServer({
    fetch() {
      const answer = Promise.withResolvers<Response>()
      answers.push(answer)
      return answer.promise
    },
  })
  stop = () => server.stop(true)
  const place = document.body.appendChild(document.createElement('div'))
  root = createRoot(place)
  for (const version of [1, 2, 3, 4]) {
    act(() => root?.render(<Seen version={version} />))
    await waitUntil(() => answers.length > 0, 'it is asked for')
  }
  answers[0]?.resolve(Response.json({ reason: 'primeira' }))
  await waitUntil(() => place.textContent === 'primeira', 'the first answer is shown')
  await waitUntil(() => answers.length === 2, 'it is asked for once more')
  answers[1]?.resolve(Response.json({ reason: 'segunda' }))
  await waitUntil(() => place.textContent === 'segunda', 'the second answer is shown')
  expect(answers).toHaveLength(2)
})

function Seen({ version }: { readonly version: number }) {
  const health = useHealth(makeConnection({ version }))
  return <p>{(health.now ?? health.last)?.health.reason ?? ''}</p>
}
